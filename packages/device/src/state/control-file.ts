// What the owner wants of the running app. Survives restarts: a paused device stays paused.

import { isFields, readObjectFile } from './fields.ts'
import { writeJson } from './write-atomic.ts'

export interface Control {
  isPaused: boolean
  /** Running jobs are given back instead of finished. */
  stopsJobs: boolean
}

export const FREE: Control = { isPaused: false, stopsJobs: false }

export function writeControl(path: string, control: Control): void {
  writeJson(path, control)
}

/** A damaged file counts as none: an owner who cannot pause would be worse off than one who pauses twice. */
export function readControl(path: string): Control {
  try {
    const fields = readObjectFile(path, '')
    if (!isFields(fields)) return FREE
    return { isPaused: fields['isPaused'] === true, stopsJobs: fields['stopsJobs'] === true }
  } catch {
    return FREE
  }
}
