// Judges the frames of one job's devices at its front, by the same rules as the scheduler's core for a single gateway: see the table in
// `scheduler/core/attempts.ts`. What the owner has to know becomes a report.

import { MAX_JOB_TOKENS } from '@hearth/protocol'
import type { JobFrame } from '../home/link.ts'
import { frameBytes } from './frame-bytes.ts'
import { endTokens, eventTokens, promptTokens } from './frame-tokens.ts'
import { deliver, isShown, MAX_REPLY_BYTES, note, place, type EventFrame } from './run.ts'
import type { TokenCount } from '../scheduler/core/types.ts'
import { accept, deliveredBy, work, type Attempt, type FrontRun, type RunningAttempt } from './front-run.ts'
import type { Report } from '../peer-link/messages.ts'

export interface Judge {
  now: number
  report: (attempt: Attempt, report: Report) => void
  /** A device accepted the job. */
  accepted: (front: FrontRun, running: RunningAttempt) => void
  /** The reply is complete. */
  ended: (front: FrontRun, running: RunningAttempt, tokens: TokenCount | undefined) => void
}

/** How often an owner hears that a device goes on with a job. */
const SIGN_OF_LIFE_MS = 1_000

type FrameOf<Type extends JobFrame['type']> = Extract<JobFrame, { type: Type }>

export function judgeFrame(front: FrontRun, frame: JobFrame, judge: Judge): void {
  switch (frame.type) {
    case 'job-delta':
    case 'job-calls':
    case 'job-annotations':
      return judgeEvent(front, frame, judge)
    case 'job-end':
      return judgeEnd(front, frame, judge)
    case 'job-accept':
      return void heldBy(front, frame.attempt, judge)
    case 'job-progress':
      return judgeProgress(front, frame, judge)
    case 'job-hand-over':
      return judgeHandOver(front, frame, judge)
    case 'job-refuse':
      return lose(front, frame.attempt, judge, { kind: 'refused', reason: frame.reason })
    case 'job-cancelled':
      return lose(front, frame.attempt, judge, { kind: 'over' })
    case 'job-error':
      return judgeError(front, frame, judge)
    default:
      frame satisfies never
  }
}

/** Whether the job still depends on this attempt. */
export function isCurrent({ running, offers }: FrontRun, attempt: number): boolean {
  if (running?.of.attempt === attempt) return !running.isOver
  return offers.some(({ of }) => of.attempt === attempt)
}

/** Nothing more comes for this attempt. */
export function lose(front: FrontRun, attempt: number, judge: Judge, report: Report): void {
  const { running } = front
  const offer = front.offers.find(({ of }) => of.attempt === attempt)
  if (running !== undefined && running.of.attempt === attempt) running.isOver = true
  if (offer !== undefined) front.offers = front.offers.filter((other) => other !== offer)
  const held = offer ?? (running?.of.attempt === attempt ? running : undefined)
  if (held !== undefined) judge.report(held, report)
}

/** A device that reports on a job has accepted it, even if it never said so. The first one that does runs it. */
function heldBy(front: FrontRun, attempt: number, judge: Judge): RunningAttempt | undefined {
  const { running } = front
  if (running !== undefined && !running.isOver) return running.of.attempt === attempt ? running : undefined
  const offer = front.offers.find(({ of }) => of.attempt === attempt)
  if (offer === undefined) return undefined
  const accepted = accept(front, offer, judge.now)
  judge.report(offer, { kind: 'accepted' })
  judge.accepted(front, accepted)
  return accepted
}

function judgeEvent(front: FrontRun, frame: EventFrame, judge: Judge): void {
  const held = heldBy(front, frame.attempt, judge)
  if (held === undefined || frame.sequence < held.nextSequence) return
  const { run } = front
  if (frame.sequence > held.nextSequence || frame.choice >= run.choices) return fault(held, judge)
  const isNews = take(front, held, frame, judge.now)
  run.bytes += frameBytes(frame)
  if (run.bytes > MAX_REPLY_BYTES) return fault(held, judge)
  if (!note(run, frame)) stopRecording(front, held, judge)
  if (isShown(frame)) show(front, held, frame, judge.now)
  // An owner on this gateway may end the job at once, so this comes last.
  if (isNews) judge.report(held, { kind: 'delivered', delivered: deliveredBy(front, held) })
}

/** Returns true if the owner has to hear of it. */
function take(front: FrontRun, held: RunningAttempt, frame: EventFrame, now: number): boolean {
  const isNews = held.nextSequence === 0 || (!front.hasShown && isShown(frame))
  work(held, now)
  held.nextSequence = frame.sequence + 1
  held.deliveredTokens += eventTokens(frame)
  if (isShown(frame)) front.hasShown = true
  if (!isNews && now - held.reportedAt < SIGN_OF_LIFE_MS) return false
  held.reportedAt = now
  return true
}

function show({ run }: FrontRun, held: RunningAttempt, frame: EventFrame, now: number): void {
  if (run.firstEventAt === undefined && !run.ticket.rerunnable)
    place(run, held.of.device, held.acceptedAt - run.submittedAt)
  deliver(run, frame, now)
}

function stopRecording(front: FrontRun, held: RunningAttempt, judge: Judge): void {
  front.run.record = undefined
  front.isRecordable = false
  judge.report(held, { kind: 'unrecordable' })
}

function fault(held: RunningAttempt, judge: Judge): void {
  held.isOver = true
  judge.report(held, { kind: 'faulted' })
}

function judgeEnd(front: FrontRun, frame: FrameOf<'job-end'>, judge: Judge): void {
  const held = heldBy(front, frame.attempt, judge)
  if (held === undefined) return
  const isComplete = frame.sequence === held.nextSequence && frame.finishes.length === front.run.choices
  if (!isComplete) return lose(front, frame.attempt, judge, { kind: 'over' })
  work(held, judge.now)
  front.run.firstEventAt ??= judge.now
  front.run.end = frame
  judge.ended(front, held, endTokens(frame))
}

function judgeError(front: FrontRun, frame: FrameOf<'job-error'>, judge: Judge): void {
  if (heldBy(front, frame.attempt, judge) === undefined) return
  const { retryable, crashed } = frame
  const error = { code: frame.code, message: frame.message, ...(frame.param !== undefined && { param: frame.param }) }
  lose(front, frame.attempt, judge, { kind: 'failed', failure: { retryable, crashed, error } })
}

// Whether the job can go on elsewhere depends on what was delivered up to now.
function judgeHandOver(front: FrontRun, { attempt }: FrameOf<'job-hand-over'>, judge: Judge): void {
  const { running } = front
  if (running === undefined || running.isOver || running.of.attempt !== attempt) return
  judge.report(running, { kind: 'delivered', delivered: deliveredBy(front, running) })
  judge.report(running, { kind: 'hand-over' })
}

function judgeProgress(front: FrontRun, frame: FrameOf<'job-progress'>, judge: Judge): void {
  const held = heldBy(front, frame.attempt, judge)
  if (held === undefined) return
  const { phase, done, total } = frame
  const isNews = front.run.progress?.phase !== phase || judge.now - held.reportedAt >= SIGN_OF_LIFE_MS
  if (phase === 'loading') startLoading(held)
  else noteProgress(held, promptTokens(frame), judge.now)
  front.run.progress = { phase, done, total }
  if (!isNews) return
  held.reportedAt = judge.now
  judge.report(held, phase === 'loading' ? { kind: 'loading' } : { kind: 'progress', promptTokens: held.promptTokens })
}

/** A device that has begun can't go back to loading. */
function startLoading(held: RunningAttempt): void {
  if (held.nextSequence === 0 && held.promptTokens === undefined) held.isLoading = true
}

function noteProgress(held: RunningAttempt, tokens: number | undefined, now: number): void {
  work(held, now)
  if (tokens !== undefined) held.promptTokens = Math.min(tokens, MAX_JOB_TOKENS)
}
