// A job as its front states it to a scheduler that doesn't know it, or that decided by old news.

import type { StatedAttempt, StatedRun } from '../terms/stated-job.ts'
import type { JobStatement } from '../terms/messages.ts'
import { currentAttempts, type FrontJob, type Running } from './front-job.ts'

export function stateJob(job: FrontJob, now: number): JobStatement {
  job.edition += 1
  const { ticket, request, answer, granted } = job
  const { startedAt, hasShown, isRecordable } = answer
  return {
    ticket,
    edition: job.edition,
    ageMs: now - job.submittedAt,
    startedMsAgo: startedAt === undefined ? undefined : now - startedAt,
    requestBytes: request.bytes,
    attempt: granted.attempt,
    course: granted.course,
    hasShown,
    isRecordable,
    held: stateHeld(job, now),
  }
}

function stateHeld(job: FrontJob, now: number): StatedAttempt | undefined {
  const { state } = job
  const run = state.name === 'running' ? state : state.name === 'lost' ? state.run : undefined
  const attempt = run?.attempt ?? currentAttempts(job)[0]
  if (attempt === undefined) return undefined
  const { attempt: number, device, epoch } = attempt.of
  const isLost = state.name === 'lost'
  return { attempt: number, device, epoch, file: attempt.file, run: run && stateRun(run, now), isLost }
}

function stateRun(
  { acceptedAt, isLoading, nextSequence, promptTokens, deliveredTokens }: Running,
  now: number,
): StatedRun {
  return { acceptedMsAgo: now - acceptedAt, isLoading, nextSequence, promptTokens, deliveredTokens }
}
