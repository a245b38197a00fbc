// The device app that the gateway distributes: built at the first request, then kept in memory.

import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import type { Handouts } from './build-handouts.ts'

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url))

export class DeviceApp {
  readonly #build: () => Promise<Handouts>
  #handouts: Promise<Handouts> | undefined

  constructor(build: () => Promise<Handouts> = buildInThread) {
    this.#build = build
  }

  /** A failure is not cached: the next request tries again. */
  async handouts(): Promise<Handouts> {
    this.#handouts ??= this.#build()
    try {
      return await this.#handouts
    } catch (error) {
      this.#handouts = undefined
      throw error
    }
  }
}

async function buildInThread(): Promise<Handouts> {
  const worker = new Worker(new URL('./build-worker.ts', import.meta.url), { workerData: ROOT })
  const [handouts] = (await once(worker, 'message')) as [Handouts]
  return handouts
}
