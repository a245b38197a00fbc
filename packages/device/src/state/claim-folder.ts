// Allows one running app per state folder: two would keep disconnecting each other.

import { mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { isAlive } from '@hearth/instances'
import { CommandError } from '@hearth/command-line/errors'
import type { StateFolder } from './folder.ts'
import { lockFor } from './process-lock.ts'
import { readStatus } from './status-file.ts'

/** A new app may take this long to write its first status. */
const START_MS = 30_000

export function claimFolder(state: StateFolder, now: Date): Disposable {
  const lock = join(state.path, 'running.lock')
  mkdirSync(state.path, { recursive: true, mode: 0o700 })
  return lockFor(lock, (pid) => {
    if (!isAlive(pid) || pid === process.pid) return
    // After a crash, another program may have the same process id. A real owner also keeps its status file fresh.
    const isNew = now.getTime() - statSync(lock).mtimeMs < START_MS
    if (isNew || readStatus(state.status, now)?.pid === pid)
      throw new CommandError(
        `The device app is already running here, as process ${pid}`,
        'to see what it is doing: hearth-device status',
      )
  })
}
