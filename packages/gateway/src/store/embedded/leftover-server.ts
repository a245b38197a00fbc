// Ends a server whose keeper was killed. Whoever calls this holds the folder's lock, so no keeper looks after that server any more.

import { execFileSync } from 'node:child_process'
import { readFileSync, readlinkSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { writeAtomic } from '@hearth/command-line/files/write-atomic'
import { isAlive } from '@hearth/instances'
import { errorCode } from '../../error-code.ts'

const LOOK_AGAIN_MS = 20
/** Tried in this order until the server has ended: a fast shutdown, one without cleanup, a kill. The next start replays the log. */
const SIGNALS = [
  { signal: 'SIGINT', patienceMs: 60_000 },
  { signal: 'SIGQUIT', patienceMs: 10_000 },
  { signal: 'SIGKILL', patienceMs: 10_000 },
] as const

export async function endLeftover(data: string): Promise<void> {
  const file = join(data, 'postmaster.pid')
  const [first, ...others] = readLines(file)
  const pid = Number(first)
  if (!isAlive(pid)) return
  // Another program has the same process ID now, and PostgreSQL would take it for itself. It knows its parent's ID as a stale one; the other
  // lines stay, because they tell it about processes that still use its memory.
  if (!servesFolder(pid, data)) return writeAtomic(file, [process.pid, ...others].join('\n'), { mode: 0o600 })
  for (const { signal, patienceMs } of SIGNALS) if (await endsAfter(pid, signal, patienceMs)) return
  throw new Error(
    `PostgreSQL (process ${pid}) is still running there and does not stop. Stop that process, then start again`,
  )
}

function readLines(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split('\n')
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return []
    throw error
  }
}

async function endsAfter(pid: number, signal: NodeJS.Signals, patienceMs: number): Promise<boolean> {
  const until = performance.now() + patienceMs
  try {
    process.kill(pid, signal)
  } catch {
    // The process has just ended, or belongs to somebody else; the next line finds out which.
    return !isAlive(pid)
  }
  while (isAlive(pid) && performance.now() < until) await sleep(LOOK_AGAIN_MS)
  return !isAlive(pid)
}

/** A server works in its folder, and its command names it. A container's root may see only the latter, if the server is another user's. */
function servesFolder(pid: number, data: string): boolean {
  if (process.platform !== 'linux')
    return isTrue(() => execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).includes(data))
  return (
    isTrue(() => readlinkSync(`/proc/${pid}/cwd`) === realpathSync(data)) ||
    isTrue(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(`/postgres\0-D\0${data}\0`))
  )
}

function isTrue(look: () => boolean): boolean {
  try {
    return look()
  } catch {
    // The process has just ended, or belongs to somebody else.
    return false
  }
}
