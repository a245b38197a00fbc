// Test files and starts run side by side, in processes of their own. Work that prepares something for all of them is done by the first one; the
// others wait, and then find it done.

import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { takeFileLock } from './file-lock.ts'

const LOOK_AGAIN_MS = 50

/** `lockFile` names the work. The system releases the lock however the process ends. */
export async function oneAtATime<Result>(lockFile: string, work: () => Promise<Result>): Promise<Result> {
  mkdirSync(dirname(lockFile), { recursive: true })
  let lock = takeFileLock(lockFile)
  while (lock === undefined) {
    await setTimeout(LOOK_AGAIN_MS)
    lock = takeFileLock(lockFile)
  }
  try {
    return await work()
  } finally {
    lock.release()
  }
}
