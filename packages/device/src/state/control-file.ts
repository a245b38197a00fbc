// Whether the owner paused the device. It survives restarts: a paused device stays paused.

import { isFields, readObjectFile } from '@hearth/command-line/files/fields'
import { writeJson } from '@hearth/command-line/files/write-atomic'

export interface Control {
  isPaused: boolean
  /** Running jobs are returned to the gateway instead of finished. */
  stopsJobs: boolean
}

const FREE: Control = { isPaused: false, stopsJobs: false }

export function writeControl(path: string, control: Control): void {
  writeJson(path, control)
}

/** A damaged file counts as not paused, so that it never blocks pause or resume; at worst the owner has to pause again. */
export function readControl(path: string): Control {
  try {
    const fields = readObjectFile(path, '')
    if (!isFields(fields)) return FREE
    return { isPaused: fields['isPaused'] === true, stopsJobs: fields['stopsJobs'] === true }
  } catch {
    return FREE
  }
}
