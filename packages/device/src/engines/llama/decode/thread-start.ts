// llama.cpp starts the threads of every decode anew. Where they take all cores, one that starts while this process and others handle the results
// of the step before may be given a busy core, where it stays until the system's clock ticks, after 4 ms on many systems. All other threads
// wait for it. So the results come a moment later.

import { availableParallelism } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'

/** No timer is shorter. */
const START_MS = 1

/** Whether nothing else may run while the threads of a decode start. */
export function takesAllCores(threads: number): boolean {
  return threads > 1 && threads >= availableParallelism()
}

/** Resolves when the threads of a decode have most likely started, and at its end at the latest. */
export function untilThreadsRun(decoding: Promise<unknown>): Promise<unknown> {
  return Promise.race([decoding.catch(() => undefined), wait(START_MS)])
}
