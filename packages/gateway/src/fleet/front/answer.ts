// What a job's devices have answered so far: what the client has, and what another device would need to continue the reply.

import { addRecovery, ReplyRecord } from '@hearth/protocol'
import type { JobFrame } from '../home/link.ts'
import type { FrontJob } from './front-job.ts'
import type { JobRecord } from './job-record.ts'
import type { JobProgress } from './waiting-jobs.ts'

/** No real answer is this long. A device that sends more would fill up our memory. */
export const MAX_REPLY_BYTES = 64 * 1024 * 1024

export type EventFrame = Extract<JobFrame, { choice: number }>

export interface Answer {
  /** When a device accepted the job for the first time. */
  startedAt: number | undefined
  firstEventAt: number | undefined
  progress: JobProgress | undefined
  /** How often the job was offered to a device. */
  attempts: number
  /** The reply knows how the job got to its device. */
  isPlaced: boolean
  /** The client of a stream has a part of the reply. */
  hasShown: boolean
  /** What another device needs to continue the reply; undefined if the device does not report its tokens. */
  record: ReplyRecord | undefined
  /** False once the reply is too long to be continued by another device. */
  isRecordable: boolean
  /** The memory that the events of this attempt took. */
  bytes: number
  /** How the device ended the answer; the client gets it once the job is recorded. */
  end: Extract<JobFrame, { type: 'job-end' }> | undefined
}

export function newAnswer(): Answer {
  return {
    startedAt: undefined,
    firstEventAt: undefined,
    progress: undefined,
    attempts: 0,
    isPlaced: false,
    hasShown: false,
    record: undefined,
    isRecordable: true,
    bytes: 0,
    end: undefined,
  }
}

/** Returns what the next device gets: the request, with the part of the reply that it has to continue. */
export function startAttempt({ request, answer }: FrontJob, reportsTokens: boolean): string {
  answer.bytes = 0
  answer.progress = undefined
  answer.attempts += 1
  if (!reportsTokens) return request.text
  answer.record ??= new ReplyRecord()
  return addRecovery(request.text, answer.record.choices(request.choices))
}

/** Whether a device may start the job as the scheduler thinks it can. It may not know yet what was delivered last. */
export function canStart({ answer, ticket }: FrontJob, isContinued: boolean): boolean {
  return isContinued ? answer.record !== undefined : !answer.hasShown || ticket.rerunnable
}

/** The next device starts from nothing. The client of a stream has nothing of it yet. */
export function startOver({ answer, ticket, reply }: FrontJob): void {
  if (answer.hasShown && ticket.rerunnable) reply.restart()
  answer.record = undefined
  answer.hasShown = false
}

/** Some events only bring tokens for the record. */
export function isShown(frame: EventFrame): boolean {
  return frame.type !== 'job-delta' || frame.text !== '' || frame.logprobs !== undefined
}

/** The reply gets this once: a client never sees more than one head. */
export function place({ answer, reply }: FrontJob, device: string | undefined, waitMs: number): void {
  if (answer.isPlaced) return
  answer.isPlaced = true
  reply.placed({ device, waitMs, attempts: answer.attempts })
}

export function deliver(job: FrontJob, frame: EventFrame, now: number): void {
  const { answer, reply } = job
  if (answer.firstEventAt === undefined) begin(job, now)
  if (frame.type === 'job-delta') reply.text(frame.choice, frame.text, frame.logprobs)
  else if (frame.type === 'job-calls') reply.toolCalls(frame.choice, frame.calls)
  else reply.annotations(frame.choice, frame.annotations)
}

/** Returns false once the reply is too long to be continued. */
export function note({ record }: Answer, frame: EventFrame): boolean {
  if (record === undefined) return true
  if (frame.type === 'job-delta') record.addText(frame)
  else if (frame.type === 'job-calls') record.addCalls(frame.choice)
  return record.isComplete
}

/** A stream that has begun is never run again. If no other device can continue it, its request is no longer needed. */
function begin({ answer, request, ticket }: FrontJob, now: number): void {
  answer.firstEventAt = now
  if (!ticket.rerunnable && answer.record === undefined) request.text = ''
}

/** Records the job before its client gets the end: a process that dies in between has counted too much, never too little. */
export function finish(job: FrontJob, record: JobRecord, onRecord: (record: JobRecord) => void): void {
  const { outcome, device, waitMs } = record
  const { request, answer, reply } = job
  request.text = ''
  onRecord(record)
  if (outcome.kind !== 'cancelled') place(job, device, waitMs)
  if (answer.end) reply.end(answer.end.finishes, answer.end.usage)
  else if (outcome.kind !== 'ended' && outcome.kind !== 'cancelled') reply.fail(outcome)
}
