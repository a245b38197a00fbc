// A job that has produced nothing yet, as the people who wait for it see it.

import type { ProgressPhase } from '@hearth/protocol'

export interface WaitingJob {
  job: string
  model: string
  /** The device that accepted it. Undefined while the job waits for one. */
  device: string | undefined
  /** That device's latest report about it. */
  progress: JobProgress | undefined
  /** Where it is in line, 1 is next. Undefined once it has a device. */
  place: number | undefined
  /** How long it takes until the first token; undefined if nobody can say. */
  firstEventMs: number | undefined
}

/** As its front knows it: only the scheduler knows the line. */
export type FrontWaitingJob = Omit<WaitingJob, 'place' | 'firstEventMs'> & { ageMs: number }

/** Counts are tokens, and there only while the device reads the prompt. */
export interface JobProgress {
  phase: ProgressPhase
  done: number | undefined
  total: number | undefined
}
