// The only lock available in Node that the system releases however a process ends: SQLite's lock on a file. Nothing is stored in that file.

import { DatabaseSync } from 'node:sqlite'

export interface FileLock {
  release(): void
}

const SQLITE_BUSY = 5

/** Undefined if another process holds the lock. */
export function takeFileLock(file: string): FileLock | undefined {
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
