// PGlite lets two processes open the same folder, and then the writes of one of them are lost. So the folder is locked first, with the only
// lock available in Node that the system releases however a process ends: SQLite's lock on a file. Nothing is stored in that file.

import { DatabaseSync } from 'node:sqlite'

export interface FolderLock {
  release(): void
}

const SQLITE_BUSY = 5

/** Undefined if another process holds the lock. */
export function takeFolderLock(file: string): FolderLock | undefined {
  const lock = new DatabaseSync(file, { timeout: 0 })
  try {
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
    return { release: () => lock.close() }
  } catch (error) {
    lock.close()
    if (error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY) return undefined
    throw error
  }
}
