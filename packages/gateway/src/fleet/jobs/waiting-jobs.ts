// Lists jobs that have produced nothing yet, for the people who wait for them.

import type { Job } from './job.ts'
import type { FrontWaitingJob } from '../terms/waiting-job.ts'

/** The waiting jobs of a key, oldest first. */
export function listWaiting(jobs: Iterable<Job>, key: string, now: number): FrontWaitingJob[] {
  const waiting: FrontWaitingJob[] = []
  for (const { ticket, answer, state, submittedAt } of jobs) {
    if (ticket.key !== key || answer.firstEventAt !== undefined) continue
    const { job, model } = ticket
    const device = state.name === 'running' ? state.device : undefined
    const progress = device === undefined ? undefined : answer.progress
    waiting.push({ job, model, device, progress, ageMs: now - submittedAt })
  }
  return waiting
}
