// Allows one running app per state folder: two would keep disconnecting each other.

import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isAlive } from '@hearth/instances'
import { CommandError } from '@hearth/command-line/errors'
import type { StateFolder } from './folder.ts'
import { readStatus } from './status-file.ts'

/** A new app may take this long to write its first status. */
const START_MS = 30_000

export function claimFolder(state: StateFolder, now: Date): Disposable {
  const lock = join(state.path, 'running.lock')
  mkdirSync(state.path, { recursive: true, mode: 0o700 })
  if (!tryClaim(lock)) {
    const owner = claimant(lock, state, now)
    if (owner !== undefined)
      throw new CommandError(
        `The device app is already running here, as process ${owner}`,
        'to see what it is doing: hearth-device status',
      )
    rmSync(lock, { force: true })
    tryClaim(lock)
  }
  return { [Symbol.dispose]: () => rmSync(lock, { force: true }) }
}

function tryClaim(lock: string): boolean {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx', mode: 0o600 })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    return false
  }
}

/** After a crash, another program may have the same process id. A real owner also keeps its status file fresh. */
function claimant(lock: string, state: StateFolder, now: Date): number | undefined {
  const pid = Number(readFileSync(lock, 'utf8'))
  if (!isAlive(pid) || pid === process.pid) return undefined
  const isNew = now.getTime() - statSync(lock).mtimeMs < START_MS
  return isNew || readStatus(state.status, now)?.pid === pid ? pid : undefined
}
