// The folder where the device app keeps its state, and the files in it.

import { homedir } from 'node:os'
import { join, resolve } from 'node:path'

export interface StateFolder {
  path: string
  credential: string
  /** The key that opens sealed requests. */
  sealKey: string
  /** The seal of the organization that the owner has pinned, and the newest lists that it has signed. */
  pinnedSeal: string
  /** The list of models to serve. */
  registry: string
  /** The running app's status; the app keeps it up to date, `status` reads it. */
  status: string
  /** Whether the app is paused; written by `pause` and `resume`. */
  control: string
  /** Written by `unblock`: requests that crashed an engine are accepted again. */
  unblock: string
  /** Downloads that people asked for in the console. */
  downloads: string
  /** Probe results for local servers. */
  probes: string
  /** How models were the last time they were loaded. */
  facts: string
  /** What was measured about model files on this processor. */
  sizes: string
  models: string
  /** When each model last got a job. */
  lastUses: string
  /** The watt-hours of this day. */
  energy: string
  /** GPU packages installed with npm. */
  gpu: string
  /** The last lines that the app printed. */
  log: string
}

export function stateFolder(home: string | undefined): StateFolder {
  const path = home === undefined ? join(homedir(), '.hearth-device') : resolve(home)
  return {
    path,
    credential: join(path, 'credential.json'),
    sealKey: join(path, 'seal-key.json'),
    pinnedSeal: join(path, 'pinned-seal.json'),
    registry: join(path, 'models.json'),
    status: join(path, 'status.json'),
    control: join(path, 'control.json'),
    unblock: join(path, 'unblock.json'),
    downloads: join(path, 'downloads.json'),
    probes: join(path, 'probes.json'),
    facts: join(path, 'model-facts.json'),
    sizes: join(path, 'model-sizes.json'),
    models: join(path, 'models'),
    lastUses: join(path, 'last-uses.json'),
    energy: join(path, 'energy.json'),
    gpu: join(path, 'gpu'),
    log: join(path, 'app.log'),
  }
}
