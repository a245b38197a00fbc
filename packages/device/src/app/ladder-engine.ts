// One model's engine on the rung that the ladder has found. It tells the ladder when it dies, so that the next engine may get another rung.

import type { ChatEvent, ChatJob, DeviceModel } from '@hearth/protocol'
import {
  EngineError,
  type EngineEnd,
  type EngineProgress,
  type Memory,
  type ModelEngine,
  type Room,
} from '../engines/engine.ts'
import { describeError } from '../errors.ts'
import type { Backend } from '../gpu/backend.ts'
import type { Ladder } from '../gpu/ladder.ts'

export function createLadderEngine(
  ladder: () => Promise<Pick<Ladder, 'use' | 'crashed'>>,
  create: (backend: Backend) => ModelEngine,
): ModelEngine {
  return new LadderEngine(ladder, create)
}

class LadderEngine implements ModelEngine {
  readonly kind = 'llama'
  readonly ended: Promise<EngineEnd>
  readonly #ladder: () => Promise<Pick<Ladder, 'use' | 'crashed'>>
  readonly #create: (backend: Backend) => ModelEngine
  readonly #died = Promise.withResolvers<EngineEnd>()
  #engine: ModelEngine | undefined

  constructor(ladder: () => Promise<Pick<Ladder, 'use' | 'crashed'>>, create: (backend: Backend) => ModelEngine) {
    this.#ladder = ladder
    this.#create = create
    this.ended = this.#died.promise
  }

  get memory(): Memory | undefined {
    return this.#engine?.memory
  }

  async start(signal: AbortSignal, room?: Room): Promise<void> {
    const ladder = await this.#ladder()
    const backend = await unlessAborted(ladder.use(), signal)
    const engine = this.#create(backend)
    this.#engine = engine
    void this.#watch(engine, (why) => ladder.crashed(backend.rung, why))
    await engine.start(signal, room).catch((error: unknown) => {
      if (isBackendFault(error) && !signal.aborted) ladder.crashed(backend.rung, describeError(error))
      throw error
    })
  }

  async #watch(engine: ModelEngine, crashed: (why: string) => void): Promise<void> {
    const end = await engine.ended
    crashed(end.why)
    this.#died.resolve(end)
  }

  models(): readonly DeviceModel[] {
    return this.#engine?.models() ?? []
  }

  run(job: ChatJob, signal: AbortSignal, report: (progress: EngineProgress) => void): AsyncIterable<ChatEvent> {
    if (this.#engine === undefined)
      throw new EngineError('failed', `Model "${job.model}" is not loaded right now`, { retryable: true })
    return this.#engine.run(job, signal, report)
  }

  async stop(): Promise<void> {
    await this.#engine?.stop()
  }
}

/** A model that is too large or damaged is no fault of the back end. */
function isBackendFault(error: unknown): boolean {
  return error instanceof EngineError && (error.crashed || error.message.startsWith("Can't start llama.cpp"))
}

/** The search for a rung goes on for others that wait for it. */
async function unlessAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  signal.throwIfAborted()
  const aborted = Promise.withResolvers<never>()
  const give = (): void => aborted.reject(signal.reason)
  signal.addEventListener('abort', give, { once: true })
  try {
    return await Promise.race([promise, aborted.promise])
  } finally {
    signal.removeEventListener('abort', give)
  }
}
