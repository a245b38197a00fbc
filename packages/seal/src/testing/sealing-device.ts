// A device as the gateway sees it: opens a sealed job and seals the events of its reply.

import {
  EMPTY_TRANSCRIPT,
  EventSealer,
  newAgreementKey,
  openJob,
  type ContentKey,
  type SealedJob,
} from '@hearth/sealing'
import type { ServerResponse } from 'node:http'

export const DEVICE = { id: 'device-1', name: 'studio', ...newAgreementKey() }

export interface OpenedHere {
  job: { messages: { role: string; content: string }[] }
  header: Record<string, unknown>
  contentKey: ContentKey
}

export async function openHere(sealed: SealedJob, device = DEVICE): Promise<OpenedHere> {
  const opened = await openJob({ sealed, device: device.id, privateKey: device.privateKey })
  if (opened.kind === 'rejected') throw new Error(`Cannot open the job: ${opened.reason}`)
  return {
    job: JSON.parse(opened.job) as OpenedHere['job'],
    header: { ...opened.header },
    contentKey: opened.contentKey,
  }
}

export interface Event {
  attempt: number
  sequence: number
  box: string
}

/** Seals frames one after another, the last one as the end of the reply. */
export function sealFrames(contentKey: ContentKey, frames: readonly object[], attempt = 1): Event[] {
  const sealer = new EventSealer(contentKey, attempt, EMPTY_TRANSCRIPT)
  return frames.map((frame, sequence) => {
    const box = Buffer.from(sealer.seal(Buffer.from(JSON.stringify(frame)))).toString('base64')
    return { attempt, sequence, box }
  })
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
export function toEvents(events: readonly Event[]): object[] {
  return [...events.slice(0, -1), { end: events.at(-1) }]
}
