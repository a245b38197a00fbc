// What is known about jobs that have produced nothing yet, for the people who wait for them.

import type { JobProgress } from './answer.ts'
import type { FrontJob } from './front-job.ts'

export interface WaitingJob {
  job: string
  model: string
  /** The device that accepted it. Undefined while the job waits for one. */
  device: string | undefined
  /** What that device last said about it. */
  progress: JobProgress | undefined
  /** Where it is in line, 1 is next. Undefined once it has a device. */
  place: number | undefined
  /** How long it takes until the first token; undefined if nobody can say. */
  firstEventMs: number | undefined
}

/** As its front knows it: only the scheduler knows the line. */
export type FrontWaitingJob = Omit<WaitingJob, 'place' | 'firstEventMs'> & { ageMs: number }

/** The waiting jobs of a key, oldest first. */
export function listWaiting(jobs: Iterable<FrontJob>, key: string, now: number): FrontWaitingJob[] {
  const waiting: FrontWaitingJob[] = []
  for (const { ticket, answer, state, submittedAt } of jobs) {
    if (ticket.key !== key || answer.firstEventAt !== undefined) continue
    const { job, model } = ticket
    const device = state.name === 'running' ? state.attempt.of.device : undefined
    const progress = device === undefined ? undefined : answer.progress
    waiting.push({ job, model, device, progress, ageMs: now - submittedAt })
  }
  return waiting
}
