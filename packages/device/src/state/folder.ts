// Where the device app keeps what it must remember, and the names of the files in there.

import { homedir } from 'node:os'
import { join, resolve } from 'node:path'

export interface StateFolder {
  path: string
  credential: string
  /** Which models are served. */
  registry: string
  /** What the running app does; refreshed by it, read by `status`. */
  status: string
  /** What the owner wants of the running app; written by `pause` and `resume`. */
  control: string
  /** What was found out about local servers. */
  probes: string
  models: string
  /** GPU packages fetched by npm. */
  gpu: string
}

export function stateFolder(home: string | undefined): StateFolder {
  const path = home === undefined ? join(homedir(), '.hearth-device') : resolve(home)
  return {
    path,
    credential: join(path, 'credential.json'),
    registry: join(path, 'models.json'),
    status: join(path, 'status.json'),
    control: join(path, 'control.json'),
    probes: join(path, 'probes.json'),
    models: join(path, 'models'),
    gpu: join(path, 'gpu'),
  }
}
