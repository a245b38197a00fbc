// Whether the owner paused the device. It survives restarts: a paused device stays paused.

import { recallNotes } from '@hearth/command-line/files/notes'
import { writeJson } from '@hearth/command-line/files/write-atomic'

export interface Control {
  isPaused: boolean
  /** Running jobs are returned to the gateway instead of finished. */
  stopsJobs: boolean
}

export function writeControl(path: string, control: Control): void {
  writeJson(path, control)
}

/** A damaged file counts as not paused, so that it never blocks pause or resume; at worst the owner has to pause again. */
export function readControl(path: string): Control {
  const { isPaused, stopsJobs } = recallNotes(path)
  return { isPaused: isPaused === true, stopsJobs: stopsJobs === true }
}
