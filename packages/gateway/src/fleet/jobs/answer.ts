// The answer of a job's devices so far: the part that the client has, and the record that another device would need to continue it.

import { SealedRecord, type ReplyRecord } from '@hearth/protocol'
import type { JobFrame } from '../terms/job-frame.ts'
import type { TakeOver } from '../terms/job.ts'
import type { JobProgress } from '../terms/messages.ts'
import type { SealedError } from './sealed-reply.ts'

export type EventFrame = Extract<JobFrame, { choice: number }> | Extract<JobFrame, { type: 'job-sealed' }>

export class JobAnswer {
  /** When the first device that sent an event had accepted the job, with the model loaded: until then, the job has waited. */
  begunAt: number | undefined
  firstEventAt: number | undefined
  lastEventAt = 0
  /** The device that the last event came from; undefined before the first. */
  writer: string | undefined
  takeOver: TakeOver | undefined
  progress: JobProgress | undefined
  /** How often the job was offered to a device. */
  attempts = 0
  /** How many of those offers found the device's link gone. */
  unsent = 0
  /** The reply knows how the job got to its device. */
  isPlaced = false
  /** The client of a stream has a part of the reply. */
  hasShown = false
  /** Another device needs this to continue the reply; undefined if the device does not report its tokens. */
  record: ReplyRecord | SealedRecord | undefined
  /** False once the reply is too long to be continued by another device. */
  isRecordable = true
  /** The memory that the events of this attempt took. */
  bytes = 0
  /** How the device ended the answer; the client gets it once the job is recorded. */
  end: Extract<JobFrame, { type: 'job-end' }> | undefined
  /** What the device of a sealed job says about its failure, if the job ends with it. */
  error: SealedError | undefined
}

/** Some events only bring tokens for the record. */
export function isShown(frame: EventFrame): boolean {
  return frame.type !== 'job-delta' || frame.text !== '' || frame.logprobs !== undefined
}

/** An event of a device other than the last one is the moment at which that device took over. */
export function noteWriter(answer: JobAnswer, device: string, now: number): void {
  const { writer, lastEventAt } = answer
  if (writer !== undefined && writer !== device) answer.takeOver = { left: writer, gapMs: now - lastEventAt }
  answer.writer = device
  answer.lastEventAt = now
}

/** Returns false once the reply is too long to be continued. */
export function note({ record }: JobAnswer, frame: EventFrame): boolean {
  if (record === undefined) return true
  if (record instanceof SealedRecord) addBox(record, frame)
  else if (frame.type === 'job-delta') record.addText(frame)
  else if (frame.type === 'job-calls') record.addCalls(frame.choice)
  return record.isComplete
}

function addBox(record: SealedRecord, frame: EventFrame): void {
  if (frame.type === 'job-sealed') record.add(frame)
}
