// Judges the frames of one job's devices: the only place that says what a client gets. What the scheduler has to know becomes a report.
//
//                offered                running
//   accept       run                    –
//   refuse       lose                   lose
//   progress     run                    note it
//   event        run, deliver           deliver the next one, drop what was there, fault a gap
//   end          run, finish            finish, or lose if an event is missing
//   error        run, lose              lose
//   cancelled    lose                   lose
//   hand over    –                      pass it on
//
// A device that reports on a job has accepted it, even if it never said so. Of two devices that were asked, the first that does has the job.

import { MAX_REPLY_BYTES } from '@hearth/chat'
import { MAX_JOB_TOKENS, SealedRecord } from '@hearth/protocol'
import { dropUnprintableInside } from '../../text/printable.ts'
import type { JobFrame } from '../terms/job-frame.ts'
import type { Report } from '../terms/messages.ts'
import type { TokenCount } from '../terms/job.ts'
import { isShown, note, noteWriter, type Answer, type EventFrame } from './answer.ts'
import { deliver, place } from './deliver.ts'
import { frameBytes } from './frame-bytes.ts'
import { endTokens, eventTokens, promptTokens } from './frame-tokens.ts'
import { accept, lose, work, type Attempt, type FrontJob, type Running } from './front-job.ts'

export interface Judge {
  /** How often the scheduler hears that a device still works on a job. */
  readonly signMs: number
  report(attempt: Attempt, report: Report, run?: Running): void
  /** A device accepted the job; these others were asked too. */
  accepted(job: FrontJob, run: Running, others: readonly Attempt[]): void
  /** The device sent nonsense, and has to stop. */
  faulted(attempt: Attempt): void
  /** The reply is complete. */
  ended(job: FrontJob, run: Running, tokens: TokenCount | undefined, now: number): void
}

type FrameOf<Type extends JobFrame['type']> = Extract<JobFrame, { type: Type }>

export function judgeFrame(job: FrontJob, frame: JobFrame, judge: Judge, now: number): void {
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
      return judgeHandOver(job, frame, judge)
    case 'job-refuse':
      return giveUp(job, frame.attempt, judge, { kind: 'refused', reason: frame.reason })
    case 'job-cancelled':
      return giveUp(job, frame.attempt, judge, { kind: 'over' })
    case 'job-error':
      return judgeError(job, frame, judge, now)
    default:
      frame satisfies never
  }
}

/** This attempt is over: the scheduler decides how the job continues. */
export function giveUp(job: FrontJob, number: number, judge: Judge, report: Report): void {
  const { state } = job
  const lost = lose(job, number)
  if (lost !== undefined) judge.report(lost, report, state.name === 'running' ? state : undefined)
}

/** Undefined if another device has the job, or none. */
function runOf(job: FrontJob, attempt: number, judge: Judge, now: number): Running | undefined {
  const { state } = job
  if (state.name === 'running') return state.number === attempt ? state : undefined
  if (state.name !== 'offered') return undefined
  const offer = state.offers.find(({ of }) => of.attempt === attempt)
  return offer && begin(job, offer, state.offers, judge, now)
}

function begin(job: FrontJob, offer: Attempt, offers: readonly Attempt[], judge: Judge, now: number): Running {
  const run = accept(job, offer, now)
  judge.report(offer, { kind: 'accepted' })
  judge.accepted(
    job,
    run,
    offers.filter((other) => other !== offer),
  )
  return run
}

function judgeEvent(job: FrontJob, frame: EventFrame, judge: Judge, now: number): void {
  const run = runOf(job, frame.attempt, judge, now)
  if (run === undefined || frame.sequence < run.nextSequence) return
  const isGap = frame.sequence > run.nextSequence
  if (isGap || !fits(job, frame)) return fault(job, run, judge)
  const { answer } = job
  const isVisible = isShown(frame)
  const isNews = take(answer, run, frame, isVisible, now) || isSign(run, judge.signMs, now)
  answer.bytes += frameBytes(frame)
  if (answer.bytes > MAX_REPLY_BYTES) return fault(job, run, judge)
  if (!note(answer, frame) || !hasRoom(job)) stopRecording(job, run, judge)
  if (isVisible) show(job, run, frame, now)
  // The client may have left meanwhile, so this comes last.
  if (isNews && job.state === run) judge.report(run.attempt, { kind: 'delivered' }, run)
}

/** A sealed job has sealed events, and no other job has. */
function fits({ recipient, choices }: FrontJob, frame: EventFrame): boolean {
  if (frame.type === 'job-sealed') return recipient.kind === 'sealed'
  return recipient.kind === 'plain' && frame.choice < choices
}

/** Tokens take a few bytes each; boxes that another device would need take as much as the reply, so they are counted. */
function hasRoom({ recipient, answer }: FrontJob): boolean {
  return (
    recipient.kind === 'plain' || !(answer.record instanceof SealedRecord) || recipient.reply.keep(answer.record.bytes)
  )
}

/** Returns true if the scheduler has to hear of it. */
function take(answer: Answer, run: Running, frame: EventFrame, isVisible: boolean, now: number): boolean {
  const isNew = run.nextSequence === 0 || (!answer.hasShown && isVisible)
  if (run.isLoading) work(run, now)
  answer.begunAt ??= run.acceptedAt
  noteWriter(answer, run.device, now)
  run.nextSequence = frame.sequence + 1
  run.deliveredTokens += eventTokens(frame)
  if (isVisible) answer.hasShown = true
  return isNew
}

function isSign(run: Running, signMs: number, now: number): boolean {
  if (now - run.reportedAt < signMs) return false
  run.reportedAt = now
  return true
}

function show(job: FrontJob, run: Running, frame: EventFrame, now: number): void {
  const { ticket, submittedAt, answer } = job
  if (answer.firstEventAt === undefined && !ticket.rerunnable)
    place(job, run.device, (answer.begunAt ?? run.acceptedAt) - submittedAt)
  deliver(job, frame, now)
}

function stopRecording({ answer, recipient }: FrontJob, run: Running, judge: Judge): void {
  answer.record = undefined
  answer.isRecordable = false
  if (recipient.kind === 'sealed') recipient.reply.keep(0)
  judge.report(run.attempt, { kind: 'unrecordable' })
}

function fault(job: FrontJob, run: Running, judge: Judge): void {
  judge.faulted(run.attempt)
  giveUp(job, run.number, judge, { kind: 'faulted' })
}

function judgeEnd(job: FrontJob, frame: FrameOf<'job-end'>, judge: Judge, now: number): void {
  const run = runOf(job, frame.attempt, judge, now)
  if (run === undefined) return
  if ((frame.box === undefined) === (job.recipient.kind === 'sealed')) return fault(job, run, judge)
  const isComplete = frame.sequence === run.nextSequence && frame.finishes.length === job.choices
  if (!isComplete) return giveUp(job, frame.attempt, judge, { kind: 'over' })
  work(run, now)
  noteWriter(job.answer, run.device, now)
  job.answer.firstEventAt ??= now
  job.answer.end = frame
  judge.ended(job, run, endTokens(frame), now)
}

function judgeError(job: FrontJob, frame: FrameOf<'job-error'>, judge: Judge, now: number): void {
  if (runOf(job, frame.attempt, judge, now) === undefined) return
  const { retryable, crashed, code, message, param, box, attempt } = frame
  if (box !== undefined && !retryable && job.recipient.kind === 'sealed') job.answer.error = { attempt, box }
  const error = dropUnprintableInside({ code, message, ...(param !== undefined && { param }) })
  giveUp(job, frame.attempt, judge, { kind: 'failed', failure: { retryable, crashed, error } })
}

/** Doesn't count as a sign of life: a device asks again every second, even if its engine hangs. */
function judgeHandOver({ state }: FrontJob, { attempt }: FrameOf<'job-hand-over'>, judge: Judge): void {
  if (state.name === 'running' && state.number === attempt) judge.report(state.attempt, { kind: 'hand-over' })
}

function judgeProgress(job: FrontJob, frame: FrameOf<'job-progress'>, judge: Judge, now: number): void {
  const run = runOf(job, frame.attempt, judge, now)
  if (run === undefined) return
  const { phase, done, total } = frame
  const isNew = job.answer.progress?.phase !== phase
  if (phase === 'loading') startLoading(run)
  else noteProgress(run, promptTokens(frame), now)
  job.answer.progress = { phase, done, total }
  if (!isNew && !isSign(run, judge.signMs, now)) return
  judge.report(
    run.attempt,
    phase === 'loading' ? { kind: 'loading' } : { kind: 'progress', promptTokens: run.promptTokens },
  )
}

/** A device that has begun can't go back to loading. */
function startLoading(run: Running): void {
  if (run.nextSequence === 0 && run.promptTokens === undefined) run.isLoading = true
}

function noteProgress(run: Running, tokens: number | undefined, now: number): void {
  work(run, now)
  if (tokens !== undefined) run.promptTokens = Math.min(tokens, MAX_JOB_TOKENS)
}
