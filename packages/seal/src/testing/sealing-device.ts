// A device as the gateway sees it: opens a sealed job and seals the events of its reply.

import type { ServerResponse } from 'node:http'
import { newAgreementKey, type ContentKey, type SealedJob } from '@hearth/sealing'
import { FrameSealer, openOnDevice, type SealedFrame } from '@hearth/sealing/testing/sealing-device'

export const DEVICE = { id: 'device-1', name: 'studio', ...newAgreementKey() }

export async function openHere(sealed: SealedJob, { id, privateKey } = DEVICE) {
  const { job, ...opened } = await openOnDevice({ sealed, device: id, privateKey })
  return { ...opened, job: JSON.parse(job) as { messages: { role: string; content: string }[] } }
}

/** Seals frames one after another, the last one as the end of the reply. */
export function sealFrames(contentKey: ContentKey, frames: readonly object[], attempt = 1): SealedFrame[] {
  const sealer = new FrameSealer(contentKey, attempt)
  return frames.map((frame) => sealer.seal(frame))
}

export const delta = (text: string, choice = 0) => ({ type: 'job-delta', choice, text })
export const jobEnd = (finish = 'stop') => ({
  type: 'job-end',
  finishes: [finish],
  usage: { promptTokens: 5, completionTokens: 2 },
})

export function startEvents(response: ServerResponse): (event: object) => void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'x-ratelimit-remaining-requests': '7' })
  return (event) => void response.write(`data: ${JSON.stringify(event)}\n\n`)
}

/** The events of a whole reply, as the gateway sends them. */
export function toEvents(events: readonly SealedFrame[]): object[] {
  return [...events.slice(0, -1), { end: events.at(-1) }]
}
