// A submitted job on its way: its request, its reply, and what another device would need to continue it.

import { addRecovery, ReplyRecord } from '@hearth/protocol'
import type { JobFrame } from '../home/link.ts'
import type { Ticket } from '../scheduler/core/types.ts'
import type { JobRecord } from './job-record.ts'
import type { Reply, SerializedJob } from './reply.ts'
import type { JobProgress } from './waiting-jobs.ts'

/** No real answer is this long. A device that sends more would fill up our memory. */
export const MAX_REPLY_BYTES = 64 * 1024 * 1024

export type EventFrame = Extract<JobFrame, { choice: number }>

export interface Run {
  ticket: Ticket
  choices: number
  /** The request as JSON text, until the job can no longer be offered to a device. It may be large, so nothing else keeps it. */
  text: string
  reply: Reply
  submittedAt: number
  firstEventAt: number | undefined
  progress: JobProgress | undefined
  /** How often it was offered to a device. */
  attempts: number
  /** Its reply knows how it got to its device. */
  isPlaced: boolean
  /** What another device needs to continue the reply; undefined if the device does not report its tokens. */
  record: ReplyRecord | undefined
  /** The client reads slowly. */
  isPaused: boolean
  /** The memory that the events of this attempt took. */
  bytes: number
  /** How the device ended the answer; the client gets it once the job is recorded. */
  end: Extract<JobFrame, { type: 'job-end' }> | undefined
}

export function newRun(ticket: Ticket, { text, choices }: SerializedJob, reply: Reply, now: number): Run {
  return {
    ticket,
    choices,
    text,
    reply,
    submittedAt: now,
    firstEventAt: undefined,
    progress: undefined,
    attempts: 0,
    isPlaced: false,
    record: undefined,
    isPaused: false,
    bytes: 0,
    end: undefined,
  }
}

/** Returns what the next device gets: the request, with the part of the reply that it has to continue. */
export function startAttempt(run: Run, reportsTokens: boolean): string {
  run.bytes = 0
  run.progress = undefined
  run.attempts += 1
  if (!reportsTokens) return run.text
  run.record ??= new ReplyRecord()
  return addRecovery(run.text, run.record.choices(run.choices))
}

/** Some events only bring tokens for the record. */
export function isShown(frame: EventFrame): boolean {
  return frame.type !== 'job-delta' || frame.text !== '' || frame.logprobs !== undefined
}

/** The reply gets this once: a client never sees more than one head. */
export function place(run: Run, device: string | undefined, waitMs: number): void {
  if (run.isPlaced) return
  run.isPlaced = true
  run.reply.placed({ device, waitMs, attempts: run.attempts })
}

export function deliver(run: Run, frame: EventFrame, now: number): void {
  if (run.firstEventAt === undefined) begin(run, now)
  if (frame.type === 'job-delta') run.reply.text(frame.choice, frame.text, frame.logprobs)
  else if (frame.type === 'job-calls') run.reply.toolCalls(frame.choice, frame.calls)
  else run.reply.annotations(frame.choice, frame.annotations)
}

/** Returns false once the reply is too long to be continued. */
export function note({ record }: Run, frame: EventFrame): boolean {
  if (record === undefined) return true
  if (frame.type === 'job-delta') record.addText(frame)
  else if (frame.type === 'job-calls') record.addCalls(frame.choice)
  return record.isComplete
}

/** A stream that has begun is never run again. If no other device can continue it, its request is no longer needed. */
function begin(run: Run, now: number): void {
  run.firstEventAt = now
  if (!run.ticket.rerunnable && run.record === undefined) run.text = ''
}

/** For the record of the job. */
export function timesOf(run: Run, now: number): Pick<JobRecord, 'firstEventMs' | 'totalMs' | 'attempts'> {
  const { firstEventAt, submittedAt, attempts } = run
  return {
    firstEventMs: firstEventAt === undefined ? undefined : firstEventAt - submittedAt,
    totalMs: now - submittedAt,
    attempts,
  }
}

/** Records the job before its client gets the end: a process that dies in between has counted too much, never too little. */
export function finish(run: Run, record: JobRecord, onRecord: (record: JobRecord) => void): void {
  const { outcome, device, waitMs } = record
  run.text = ''
  onRecord(record)
  if (outcome.kind !== 'cancelled') place(run, device, waitMs)
  if (run.end) run.reply.end(run.end.finishes, run.end.usage)
  else if (outcome.kind !== 'ended' && outcome.kind !== 'cancelled') run.reply.fail(outcome)
}

/** The client of a stream that starts over has nothing of it yet. */
export function startOver(run: Run): void {
  run.record = undefined
  if (run.ticket.rerunnable) run.reply.restart()
}
