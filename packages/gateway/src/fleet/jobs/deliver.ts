// Between a job and its reply: what a device gets to start from, what the client gets, and its end.

import { addBegun, addRecovery, ReplyRecord, SealedRecord } from '@hearth/protocol'
import { showEvent, type Failed } from '@hearth/chat'
import type { JobAnswer, EventFrame } from './answer.ts'
import type { Job } from './job.ts'
import type { JobRecord } from './job-record.ts'

type EndFrame = NonNullable<JobAnswer['end']>

/** Returns what the next device gets: the request, with the part of the reply that it has to continue. */
export function startAttempt({ request, choices, answer, recipient }: Job, reportsTokens: boolean): string {
  answer.bytes = 0
  answer.progress = undefined
  answer.error = undefined
  answer.attempts += 1
  if (!reportsTokens) return request.text
  const record = (answer.record ??= recipient.kind === 'sealed' ? new SealedRecord() : new ReplyRecord())
  if (record instanceof SealedRecord) return addBegun(request.text, record.begun())
  return addRecovery(request.text, record.choices(choices))
}

/** Whether a device may start the job as its scheduler thinks it can: it may not know yet what was delivered last. */
export function canStart({ answer, ticket }: Job, isContinued: boolean): boolean {
  return isContinued ? answer.record !== undefined : !answer.hasShown || ticket.rerunnable
}

/** The next device starts from nothing. The client of a stream has nothing of it yet. */
export function restartJob(job: Job): void {
  const { answer, ticket, recipient } = job
  if (answer.hasShown && ticket.rerunnable) recipient.reply.restart()
  job.begun = undefined
  job.begunTokens = 0
  answer.record = undefined
  answer.hasShown = false
  answer.writer = undefined
  answer.takeOver = undefined
}

/** The reply gets this once: a client never sees more than one head. */
export function place({ answer, recipient }: Job, device: string | undefined, waitMs: number): void {
  if (answer.isPlaced) return
  answer.isPlaced = true
  recipient.reply.placed({ device, waitMs, attempts: answer.attempts - answer.unsent })
}

export function deliver(job: Job, frame: EventFrame, now: number): void {
  const { answer, recipient } = job
  if (answer.firstEventAt === undefined) begin(job, now)
  // Frames of the other kind never come this far.
  if (frame.type !== 'job-sealed') {
    if (recipient.kind === 'plain') showEvent(recipient.reply, frame)
  } else if (recipient.kind === 'sealed') recipient.reply.sealed(frame)
}

/** A stream that has begun is never run again. If no other device can continue it, its request is no longer needed. */
function begin({ answer, request, ticket }: Job, now: number): void {
  answer.firstEventAt = now
  if (!ticket.rerunnable && answer.record === undefined) request.text = ''
}

/** To be called once the job is recorded: a process that dies in between has counted too much, never too little. */
export function deliverEnd(job: Job, { outcome, device, waitMs }: JobRecord): void {
  if (outcome.kind !== 'cancelled') place(job, device, waitMs)
  if (job.answer.end) end(job, job.answer.end)
  else if (outcome.kind !== 'ended' && outcome.kind !== 'cancelled') fail(job, outcome)
}

function end({ recipient }: Job, { finishes, usage, attempt, sequence, box = '' }: EndFrame): void {
  if (recipient.kind === 'plain') recipient.reply.end(finishes, usage)
  else recipient.reply.end({ attempt, sequence, box })
}

function fail({ recipient, answer }: Job, outcome: Failed): void {
  if (recipient.kind === 'plain') recipient.reply.fail(outcome)
  else recipient.reply.fail(outcome, outcome.kind === 'refused-by-device' ? answer.error : undefined)
}
