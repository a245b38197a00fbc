// A file that holds the id of the process that may do something alone.

import { readFileSync, rmSync, writeFileSync } from 'node:fs'

/** `reject` throws if the process with this id still has the lock. Otherwise it ended without removing the file. */
export function lockFor(path: string, reject: (pid: number) => void): Disposable {
  if (!tryLock(path)) {
    reject(Number(readFileSync(path, 'utf8')))
    rmSync(path, { force: true })
    tryLock(path)
  }
  return { [Symbol.dispose]: () => rmSync(path, { force: true }) }
}

function tryLock(path: string): boolean {
  try {
    writeFileSync(path, String(process.pid), { flag: 'wx', mode: 0o600 })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    return false
  }
}
