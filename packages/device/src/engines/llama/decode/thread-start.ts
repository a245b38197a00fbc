// llama.cpp starts the threads of every decode anew. One that starts while this process and others handle the results of the step before may
// be given a busy core, where it stays until the system's clock ticks, after 4 ms on many systems. All other threads wait for it. So the
// results come a moment later.

import { setTimeout as wait } from 'node:timers/promises'

/** No timer is shorter. */
const START_MS = 1

/** Resolves when the threads of a decode have most likely started, and at its end at the latest. */
export function untilThreadsRun(decoding: Promise<unknown>): Promise<unknown> {
  const ended = decoding.catch(() => undefined)
  return Promise.race([ended, wait(START_MS)])
}
