// A program that the gateway distributes: built at the first request, then kept in memory.

import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import type { Handouts } from './build-handouts.ts'
import { PACKINGS, type PackingName } from './packing.ts'

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url))

/** All of them. */
export type HandedOutPrograms = Record<PackingName, HandedOutProgram>

/** How a program is described to those who download it. */
export interface ProgramNotice {
  version: string
  /** Checksum of the archive, in hex. */
  sha256: string
  bytes: number
  release?: unknown
}

export class HandedOutProgram {
  /** The path under which its files are. */
  readonly path: '/device/v1' | '/seal/v1'
  readonly #build: () => Promise<Handouts>
  #handouts: Promise<Handouts> | undefined

  constructor(name: PackingName, build: () => Promise<Handouts> = () => buildInThread(name)) {
    this.path = PACKINGS[name].program.path
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

  async notice(): Promise<ProgramNotice> {
    const { version, app, release } = await this.handouts()
    return { version, sha256: app.sha256, bytes: app.content.length, ...(release !== undefined && { release }) }
  }
}

export function handOutPrograms(): HandedOutPrograms {
  return { device: new HandedOutProgram('device'), seal: new HandedOutProgram('seal') }
}

async function buildInThread(name: PackingName): Promise<Handouts> {
  const worker = new Worker(new URL('./build-worker.ts', import.meta.url), { workerData: { root: ROOT, name } })
  const [handouts] = (await once(worker, 'message')) as [Handouts]
  return handouts
}
