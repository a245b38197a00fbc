// Judges the frames of one job's devices: the only place that says what a client gets.
//
//                offered                running
//   accept       run                    –
//   refuse       put back               lose
//   progress     run                    note it
//   event        run, deliver           deliver the next one, drop what was there, stop and lose after a gap
//   end          run, finish            finish, or lose if an event is missing
//   error        run, lose              lose
//   cancelled    lose                   lose
//   hand over    –                      ask for another device
//
// A device that reports on a job has accepted it, even if it never said so. Of two devices that were asked, the first that does has the job.

import { MAX_REPLY_BYTES, type Failure } from '@hearth/chat'
import { MAX_JOB_TOKENS, SealedRecord, type RefuseReason } from '@hearth/protocol'
import { dropUnprintableInside } from '../../text/printable.ts'
import type { JobFrame } from '../terms/job-frame.ts'
import type { TokenCount } from '../terms/job.ts'
import { isShown, note, noteWriter, type JobAnswer, type EventFrame } from './answer.ts'
import { deliver, place } from './deliver.ts'
import { eventTokens, frameBytes } from './frame-size.ts'
import { work, type Job, type Offer, type Running } from './job.ts'

export interface Judge {
  /** A device accepted the job. */
  accept(job: Job, offer: Offer, now: number): Running
  /** The device has sent its first event, or has begun or ended to load the model: another deadline counts. */
  moved(job: Job, run: Running): void
  refused(job: Job, attempt: number, reason: RefuseReason, now: number): void
  failed(job: Job, run: Running, failure: Failure, now: number): void
  /** The device no longer works on it. */
  stopped(job: Job, attempt: number, now: number): void
  /** The device sent nonsense, and has to stop. */
  faulted(job: Job, run: Running, now: number): void
  /** The reply is complete. */
  ended(job: Job, run: Running, tokens: TokenCount | undefined, now: number): void
  /** The person at the device wants it back. */
  handOver(job: Job, run: Running, now: number): void
}

type FrameOf<Type extends JobFrame['type']> = Extract<JobFrame, { type: Type }>

export function judgeFrame(job: Job, frame: JobFrame, judge: Judge, now: number): void {
  switch (frame.type) {
    case 'job-delta':
    case 'job-calls':
    case 'job-annotations':
    case 'job-sealed':
      return judgeEvent(job, frame, judge, now)
    case 'job-end':
      return judgeEnd(job, frame, judge, now)
    case 'job-accept':
      return void runOf(job, frame.attempt, judge, now)
    case 'job-progress':
      return judgeProgress(job, frame, judge, now)
    case 'job-hand-over':
      return judgeHandOver(job, frame, judge, now)
    case 'job-refuse':
      return judge.refused(job, frame.attempt, frame.reason, now)
    case 'job-cancelled':
      return judge.stopped(job, frame.attempt, now)
    case 'job-error':
      return judgeError(job, frame, judge, now)
    default:
      frame satisfies never
  }
}

/** Undefined if another device has the job, or none. */
function runOf(job: Job, attempt: number, judge: Judge, now: number): Running | undefined {
  const { state } = job
  if (state.name === 'running') return state.number === attempt ? state : undefined
  if (state.name !== 'offered') return undefined
  const offer = state.offers.find((one) => one.attempt === attempt)
  return offer && judge.accept(job, offer, now)
}

function judgeEvent(job: Job, frame: EventFrame, judge: Judge, now: number): void {
  const run = runOf(job, frame.attempt, judge, now)
  if (run === undefined || frame.sequence < run.nextSequence) return
  const isGap = frame.sequence > run.nextSequence
  if (isGap || !fits(job, frame)) return judge.faulted(job, run, now)
  const { answer } = job
  const isFirst = run.nextSequence === 0
  const isVisible = isShown(frame)
  take(answer, run, frame, isVisible, now)
  answer.bytes += frameBytes(frame)
  if (answer.bytes > MAX_REPLY_BYTES) return judge.faulted(job, run, now)
  if (isFirst) judge.moved(job, run)
  if (!note(answer, frame) || !hasRoom(job)) stopRecording(job)
  if (isVisible) show(job, run, frame, now)
}

/** A sealed job has sealed events, and no other job has. */
function fits({ recipient, choices }: Job, frame: EventFrame): boolean {
  if (frame.type === 'job-sealed') return recipient.kind === 'sealed'
  return recipient.kind === 'plain' && frame.choice < choices
}

/** Tokens take a few bytes each; boxes that another device would need take as much as the reply, so they are counted. */
function hasRoom({ recipient, answer }: Job): boolean {
  return (
    recipient.kind === 'plain' || !(answer.record instanceof SealedRecord) || recipient.reply.keep(answer.record.bytes)
  )
}

function take(answer: JobAnswer, run: Running, frame: EventFrame, isVisible: boolean, now: number): void {
  if (run.isLoading) work(run, now)
  answer.begunAt ??= run.acceptedAt
  noteWriter(answer, run.device, now)
  run.firstEventAt ??= now
  run.lastSignAt = now
  run.nextSequence = frame.sequence + 1
  run.deliveredTokens += eventTokens(frame)
  if (isVisible) answer.hasShown = true
}

function show(job: Job, run: Running, frame: EventFrame, now: number): void {
  const { ticket, submittedAt, answer } = job
  if (answer.firstEventAt === undefined && !ticket.rerunnable)
    place(job, run.device, (answer.begunAt ?? run.acceptedAt) - submittedAt)
  deliver(job, frame, now)
}

function stopRecording({ answer, recipient }: Job): void {
  answer.record = undefined
  answer.isRecordable = false
  if (recipient.kind === 'sealed') recipient.reply.keep(0)
}

function judgeEnd(job: Job, frame: FrameOf<'job-end'>, judge: Judge, now: number): void {
  const run = runOf(job, frame.attempt, judge, now)
  if (run === undefined) return
  if ((frame.box === undefined) === (job.recipient.kind === 'sealed')) return judge.faulted(job, run, now)
  const isComplete = frame.sequence === run.nextSequence && frame.finishes.length === job.choices
  if (!isComplete) return judge.stopped(job, frame.attempt, now)
  work(run, now)
  noteWriter(job.answer, run.device, now)
  job.answer.firstEventAt ??= now
  job.answer.end = frame
  const { usage, finishes } = frame
  // A device reports the tokens of one choice.
  const tokens = usage && { prompt: usage.promptTokens, completion: usage.completionTokens * finishes.length }
  judge.ended(job, run, tokens, now)
}

function judgeError(job: Job, frame: FrameOf<'job-error'>, judge: Judge, now: number): void {
  const run = runOf(job, frame.attempt, judge, now)
  if (run === undefined) return
  const { retryable, crashed, code, message, param, box, attempt } = frame
  if (box !== undefined && !retryable && job.recipient.kind === 'sealed') job.answer.error = { attempt, box }
  const error = dropUnprintableInside({ code, message, ...(param !== undefined && { param }) })
  judge.failed(job, run, { retryable, crashed, error }, now)
}

/** Doesn't count as a sign of life: a device asks again every second, even if its engine hangs. */
function judgeHandOver(job: Job, { attempt }: FrameOf<'job-hand-over'>, judge: Judge, now: number): void {
  const { state } = job
  if (state.name === 'running' && state.number === attempt) judge.handOver(job, state, now)
}

function judgeProgress(job: Job, frame: FrameOf<'job-progress'>, judge: Judge, now: number): void {
  const run = runOf(job, frame.attempt, judge, now)
  if (run === undefined) return
  const { phase, done, total } = frame
  const wasLoading = run.isLoading
  run.lastSignAt = now
  // A device that has begun can't go back to loading.
  if (phase !== 'loading') work(run, now)
  else if (run.nextSequence === 0 && run.promptTokens === undefined) run.isLoading = true
  // In other phases, the total is not the length of the prompt.
  if (phase === 'prompt' && total !== undefined) run.promptTokens = Math.min(total, MAX_JOB_TOKENS)
  job.answer.progress = { phase, done, total }
  if (run.isLoading !== wasLoading) judge.moved(job, run)
}
