// The folder where the device app keeps its state, and the files in it.

import { homedir } from 'node:os'
import { join, resolve } from 'node:path'

const FILES = {
  credential: 'credential.json',
  /** The key that opens sealed requests. */
  sealKey: 'seal-key.json',
  /** The seal of the organization that the owner has pinned, and the newest lists that it has signed. */
  pinnedSeal: 'pinned-seal.json',
  /** The list of models to serve. */
  registry: 'models.json',
  /** The running app's status; the app keeps it up to date, `status` reads it. */
  status: 'status.json',
  /** Whether the app is paused; written by `pause` and `resume`. */
  control: 'control.json',
  /** Written by `unblock`: requests that crashed an engine are accepted again. */
  unblock: 'unblock.json',
  /** Downloads that people asked for in the console. */
  downloads: 'downloads.json',
  /** The local servers whose models the owner agreed to serve. */
  servers: 'servers.json',
  /** Probe results for local servers. */
  probes: 'probes.json',
  /** How models were the last time they were loaded. */
  facts: 'model-facts.json',
  /** What was measured about model files on this processor. */
  sizes: 'model-sizes.json',
  models: 'models',
  /** When each model last got a job. */
  lastUses: 'last-uses.json',
  /** The watt-hours of this day. */
  energy: 'energy.json',
  /** GPU packages installed with npm. */
  gpu: 'gpu',
  /** The last lines that the app printed. */
  log: 'app.log',
} as const

/** The folder itself, and where everything in it is. */
export type StateFolder = { path: string } & { [Name in keyof typeof FILES]: string }

export function stateFolder(home: string | undefined): StateFolder {
  const path = home === undefined ? join(homedir(), '.hearth-device') : resolve(home)
  const paths = Object.entries(FILES).map(([name, file]) => [name, join(path, file)])
  return { path, ...(Object.fromEntries(paths) as Record<keyof typeof FILES, string>) }
}
