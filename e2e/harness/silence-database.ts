// Stops the embedded database of a data folder without ending it, as if it hung.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { descendantsOf } from './process-tree.ts'

/** Call the returned function to let it continue. */
export async function silenceDatabase(folder: string): Promise<() => void> {
  const postmaster = Number.parseInt(readFileSync(join(folder, 'postgres', 'postmaster.pid'), 'utf8'), 10)
  const pids = [postmaster, ...(await descendantsOf(postmaster)).map(({ pid }) => pid)]
  for (const pid of pids) process.kill(pid, 'SIGSTOP')
  return () => pids.forEach(wake)
}

/** On a very slow machine it may be gone by now. */
function wake(pid: number): void {
  try {
    process.kill(pid, 'SIGCONT')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
