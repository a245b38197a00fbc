// Shows that the event loop of this process turns: every second, it counts, and tells whoever started the process. A thread of its own sees
// when the count stands still, and writes down where the process hangs; the supervisor then ends it.

import { Worker } from 'node:worker_threads'

/** What `npm start` sends a gateway whose successor is ready. */
export const HAND_OVER = 'hand over'

const BEAT_MS = 1_000
const HEAP_MB = 16

let isWatched = false

/** Once per process: a gateway asks for it, and `npm start` does for every process that it starts. */
export function watchLoop(tell?: () => void): void {
  if (isWatched) return
  isWatched = true
  const beats = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  setInterval(() => {
    beats[0] = (beats[0] ?? 0) + 1
    tell?.()
  }, BEAT_MS).unref()
  new Worker(new URL('loop-worker.js', import.meta.url), {
    name: 'loop watch',
    workerData: beats,
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
  })
    // Without it, a process that hangs has no stack in the log. It is ended all the same.
    .on('error', () => undefined)
    .unref()
}
