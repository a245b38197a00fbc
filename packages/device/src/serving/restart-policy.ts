// When a model is loaded again whose engine has ended, or that could not be loaded.

import type { RestartPolicy } from '@hearth/command-line/processes/restart-plan'

export const MODEL_RESTARTS: RestartPolicy = {
  // The first one only lets the system take the memory of the dead process back: streams wait for the next engine.
  pausesMs: [100, 1_000, 2_000, 5_000, 15_000, 60_000, 300_000],
  settledMs: 60_000,
  skippedAfterFailedStart: 3,
  givesUpBeforeFirstRun: false,
}

const LONGEST_RESTART_MS = 15_000

/** After a longer pause, the model no longer counts as restarting but as failed. */
export function isSoonBack(pauseMs: number): boolean {
  return pauseMs <= LONGEST_RESTART_MS
}
