// What is known about jobs that have produced nothing yet, for the people who wait for them.

import type { ProgressPhase } from '@hearth/protocol'
import type { Ticket } from './core/types.ts'

/** Counts are tokens, and there only while the device reads the prompt. */
export interface JobProgress {
  phase: ProgressPhase
  done: number | undefined
  total: number | undefined
}

export interface WaitingJob {
  job: string
  model: string
  /** The device that accepted it. Undefined while the job waits for one. */
  device: string | undefined
  /** What that device last said about it. */
  progress: JobProgress | undefined
}

interface WaitingRun {
  ticket: Ticket
  firstEventAt: number | undefined
  progress: JobProgress | undefined
}

/** The waiting jobs of a key, oldest first. */
export function listWaiting(
  runs: Iterable<WaitingRun>,
  key: string,
  deviceOf: (job: string) => string | undefined,
): WaitingJob[] {
  const waiting: WaitingJob[] = []
  for (const { ticket, firstEventAt, progress } of runs) {
    if (ticket.key !== key || firstEventAt !== undefined) continue
    const device = deviceOf(ticket.job)
    waiting.push({
      job: ticket.job,
      model: ticket.model,
      device,
      progress: device === undefined ? undefined : progress,
    })
  }
  return waiting
}
