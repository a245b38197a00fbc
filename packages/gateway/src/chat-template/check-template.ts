// Checks a chat template in a thread of its own: a template is a program, and one that never ends must not stop the gateway.

import { Worker } from 'node:worker_threads'

export const CHECK_MS = 5_000
export const MEMORY_MB = 64

/** Says what is wrong with the template; undefined if nothing is. */
export async function checkTemplate(source: string, limitMs = CHECK_MS): Promise<string | undefined> {
  const worker = new Worker(new URL('./check-worker.ts', import.meta.url), {
    workerData: source,
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
  })
  const { promise, resolve } = Promise.withResolvers<string | undefined>()
  worker.once('message', ({ problem }: { problem?: string }) => resolve(problem))
  worker.once('error', () => resolve('The template takes too much memory'))
  const timer = setTimeout(() => resolve('The template takes too long to render'), limitMs)
  try {
    return await promise
  } finally {
    clearTimeout(timer)
    await worker.terminate()
  }
}
