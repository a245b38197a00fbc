// Watches over this process from a thread of its own, because native code may hold up the main thread for as long as it likes. The process ends
// when the one that started it does, and when its work takes too much time or memory.

import { Worker } from 'node:worker_threads'
import { CPU_MS, MEMORY_MB, WORK, WORDS_OF_STATE, type Watched } from './watched.ts'

export interface WorkLimits {
  memoryBytes: number
  /** CPU time of the process, because a busy machine may take long for little work. */
  cpuMs?: number
}

export interface SelfWatch {
  /** A thread looks at the work from now on. Work that ends before the first look costs nothing. */
  begin(limits: WorkLimits): void
  end(): void
}

const MEGABYTE = 1_000_000
const NO_LIMIT = 0
const LOOK_MS = 1_000

/** `lookMs` is how often the thread looks while there is work. A process without work to limit needs only the first promise. */
export function watchSelf(lookMs = LOOK_MS): SelfWatch {
  const state = new Int32Array(new SharedArrayBuffer(WORDS_OF_STATE * Int32Array.BYTES_PER_ELEMENT))
  const workerData: Watched = { state, lookMs }
  const thread = new Worker(new URL('./watch-thread.ts', import.meta.url), { workerData, execArgv: [] })
  thread.unref()
  let works = 0
  return {
    begin({ memoryBytes, cpuMs = NO_LIMIT }) {
      state[MEMORY_MB] = Math.ceil(memoryBytes / MEGABYTE)
      state[CPU_MS] = cpuMs
      works = (works % 1_000_000) + 1
      Atomics.store(state, WORK, works)
      Atomics.notify(state, WORK)
    },
    end: () => void Atomics.store(state, WORK, 0),
  }
}
