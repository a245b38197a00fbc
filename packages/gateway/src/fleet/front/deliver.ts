// Between a job and its reply: what a device gets to start from, what the client gets, and its end.

import { addRecovery, ReplyRecord } from '@hearth/protocol'
import type { EventFrame } from './answer.ts'
import type { FrontJob } from './front-job.ts'
import type { JobRecord } from './job-record.ts'

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
  answer.writer = undefined
  answer.takeOver = undefined
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
