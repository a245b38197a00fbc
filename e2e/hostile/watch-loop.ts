// Loaded into the gateway before its own code: measures how long single turns of its event loop keep everyone waiting, in CPU time of that
// thread. On a busy machine a turn takes longer, but it needs no more CPU time, so the limit of a test holds everywhere.
//
// A timer that fires every few milliseconds looks at the CPU time since it last fired: no turn in between took more than that.

import { appendFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

const EVERY_MS = 10
/** Shorter turns are not worth writing down. */
const NOTED_MS = 25

const file = process.env['LOOP_STALLS']
if (file !== undefined && isMainThread) watch(file)

function watch(path: string): void {
  let last = cpuMs()
  setInterval(() => {
    const now = cpuMs()
    if (now - last > NOTED_MS) appendFileSync(path, `${Date.now()} ${(now - last).toFixed(1)}\n`)
    last = cpuMs()
  }, EVERY_MS).unref()
}

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
