// When a part of Hearth is started again.

import type { RestartPolicy } from '@hearth/command-line/processes/restart-plan'

export const PART_RESTARTS: RestartPolicy = {
  // The first one is no pause: whoever waits for an answer gets it as soon as possible.
  pausesMs: [0, 500, 1_000, 2_000, 5_000, 15_000],
  settledMs: 30_000,
  skippedAfterFailedStart: 0,
  givesUpBeforeFirstRun: true,
}
