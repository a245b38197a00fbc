// What is known about jobs that have produced nothing yet, for the people who wait for them.

import type { ProgressPhase } from '@hearth/protocol'
import type { Forecast } from '../scheduler/core/forecasts/forecast-line.ts'
import type { Ticket } from '../scheduler/core/types.ts'

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
  /** Where it is in line, 1 is next. Undefined once it has a device. */
  place: number | undefined
  /** How long it takes until the first token; undefined if nobody can say. */
  firstEventMs: number | undefined
}

interface WaitingRun {
  ticket: Ticket
  firstEventAt: number | undefined
  progress: JobProgress | undefined
}

const UNKNOWN: Forecast = { place: undefined, firstEventMs: undefined }

/** The waiting jobs of a key, oldest first. */
export function listWaiting(
  runs: Iterable<WaitingRun>,
  key: string,
  deviceOf: (job: string) => string | undefined,
  forecast: (job: string) => Forecast | undefined,
): WaitingJob[] {
  const waiting: WaitingJob[] = []
  for (const { ticket, firstEventAt, progress } of runs) {
    if (ticket.key !== key || firstEventAt !== undefined) continue
    const device = deviceOf(ticket.job)
    const { place, firstEventMs } = forecast(ticket.job) ?? UNKNOWN
    waiting.push({
      job: ticket.job,
      model: ticket.model,
      device,
      progress: device === undefined ? undefined : progress,
      place,
      firstEventMs,
    })
  }
  return waiting
}
