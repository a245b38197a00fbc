// Loaded into a process before its own code, with a folder to write into (`watchLoop`): measures how long single turns of its event loop keep everyone waiting, in CPU time of that
// thread. On a busy machine a turn takes longer, but it needs no more CPU time, so the limit of a test holds everywhere.
//
// A timer that fires every few milliseconds looks at the CPU time since it last fired: no turn in between took more than that. In a virtual
// machine, the time that its host takes away counts as CPU time of whoever was running, so it is subtracted.

import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { isMainThread } from 'node:worker_threads'
import { processorTimes } from './gateway-facts.ts'

const EVERY_MS = 10
/** Shorter turns are not worth writing down. */
const NOTED_MS = 25
/** The unit of the processors' times. */
const TICK_MS = 10
/** While its host takes time away, a machine is also slower: it shares caches and the units of a core with others. */
const SLOWED = 2

const folder = new URL(import.meta.url).searchParams.get('into')
if (folder !== null && isMainThread) watch(join(folder, String(process.pid)))

function watch(path: string): void {
  appendFileSync(path, '')
  let last = spentMs()
  setInterval(() => {
    const stallMs = spentMs() - last
    if (stallMs > NOTED_MS) appendFileSync(path, `${Date.now()} ${stallMs.toFixed(1)}\n`)
    last = spentMs()
  }, EVERY_MS).unref()
}

function spentMs(): number {
  return cpuMs() - SLOWED * processorTimes().stolen * TICK_MS
}

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
