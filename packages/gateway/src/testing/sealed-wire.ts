// A scripted device's part of sealed requests, straight from the format and independent of the device app: opens the request, and seals
// the frames of its reply.

import { randomBytes } from 'node:crypto'
import {
  parseJobRequest,
  readDeviceFrame,
  ReplyRecord,
  isSealed,
  type ChatJob,
  type DeviceFrame,
  type JobAttempt,
  type SealedRequest,
} from '@hearth/protocol'
import { openBegun, type AgreementKey } from '@hearth/sealing'
import { FrameSealer, openOnDevice } from '@hearth/sealing/testing/sealing-device'
import type { JobWire } from './scripted-job.ts'

interface OpenedRequest {
  request: ChatJob
  sealer: FrameSealer
}

/** A device, as far as sealed requests are concerned. */
export interface Opener {
  device: string
  key: AgreementKey
}

/** Throws if it doesn't open. */
export async function openSealedRequest(
  { attempt }: JobAttempt,
  { sealed, prefixScope, recovery }: SealedRequest,
  { device, key }: Opener,
): Promise<OpenedRequest> {
  const opened = await openOnDevice({ sealed, device, privateKey: key.privateKey })
  const job = parseJobRequest(opened.job)
  if (isSealed(job)) throw new Error('A sealed request must not contain another one')
  const begun = openBegun(opened.contentKey, recovery?.begun ?? [])
  if (begun.kind === 'rejected') throw new Error(`Cannot open the beginning of a reply: ${begun.reason}`)
  const record = new ReplyRecord()
  for (const { plains } of begun.attempts) for (const plain of plains) addToRecord(record, plain)
  const choices = recovery?.begun && record.choices(job.n ?? 1)
  return {
    request: { ...job, ...(prefixScope && { prefixScope }), ...(recovery && { recovery: choices ? { choices } : {} }) },
    sealer: new FrameSealer(opened.contentKey, attempt, begun.transcript),
  }
}

function addToRecord(record: ReplyRecord, plain: Buffer): void {
  const frame = readDeviceFrame({ job: '', attempt: 0, sequence: 0, ...(JSON.parse(plain.toString()) as object) })
  if (frame?.type === 'job-delta') record.addText(frame)
  if (frame?.type === 'job-calls') record.addCalls(frame.choice)
}

/** Passes on each frame of the job with its content in a box. */
export function sealingWire(wire: JobWire, { job, attempt }: JobAttempt, sealer: FrameSealer): JobWire {
  /** By number: a frame that is sent twice has one box. */
  const boxes: string[] = []
  const boxOf = (frame: Numbered): string => {
    if (frame.job !== job || frame.attempt !== attempt) return randomBytes(96).toString('base64')
    const { job: _, attempt: __, sequence, ...content } = frame
    return (boxes[sequence] ??= sealer.seal(content).box)
  }
  const seal = (frame: DeviceFrame): object => {
    if ('choice' in frame) {
      const tokens = 'tokens' in frame && frame.tokens !== undefined ? { tokens: frame.tokens } : {}
      const { sequence } = frame
      return { type: 'job-sealed', job: frame.job, attempt: frame.attempt, sequence, ...tokens, box: boxOf(frame) }
    }
    if (frame.type === 'job-end') return { ...frame, finishes: frame.finishes.map(() => 'stop'), box: boxOf(frame) }
    if (frame.type !== 'job-error') return frame
    const { job: _, attempt: __, param, ...content } = frame
    const { box } = sealer.sealError({ ...content, ...(param !== undefined && { param }) })
    return { ...content, job, attempt, message: 'The job failed', box }
  }
  return { ...wire, send: (frames) => wire.send(frames.map((frame) => seal(frame as DeviceFrame))) }
}

type Numbered = Extract<DeviceFrame, { sequence: number }>
