// Makes the machine slow for one process: stops it whenever it has had its share of a core, as a busy machine or a container's limit would.

import { readFileSync } from 'node:fs'

const LOOK_MS = 20
const TICK_MS = 10

/** For Linux. `share` is of one core. */
export function throttle(pid: number, share: number): Disposable {
  const since = performance.now()
  const had = cpuMs(pid)
  const timer = setInterval(() => {
    const isDue = cpuMs(pid) - had < share * (performance.now() - since)
    signal(pid, isDue ? 'SIGCONT' : 'SIGSTOP')
  }, LOOK_MS)
  return {
    [Symbol.dispose]() {
      clearInterval(timer)
      signal(pid, 'SIGCONT')
    },
  }
}

/** Of all its threads. Zero if it has ended. */
function cpuMs(pid: number): number {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS
  } catch {
    return 0
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // It has ended.
  }
}
