// The embedded engine as the device app sees it: one process per model, supervised from here.

import type { ChatEvent, ChatJob } from '@hearth/protocol'
import { EngineError, type Engine, type EngineChange, type EngineProgress } from '../engine.ts'
import { forkHost, type ForkHost } from './process/host-process.ts'
import type { LlamaOptions } from './llama-options.ts'
import { SupervisedModel } from './process/supervised-model.ts'

/** What a test passes in instead. */
export interface LlamaWorld {
  fork?: ForkHost
  restartMs?: readonly number[]
}

export function createLlamaEngine(options: LlamaOptions, world: LlamaWorld = {}): Engine {
  return new LlamaEngine(options, world)
}

class LlamaEngine implements Engine {
  readonly kind = 'llama'
  readonly #models: readonly SupervisedModel[]
  readonly #listeners = new Set<(change: EngineChange) => void>()

  constructor({ models, ...shared }: LlamaOptions, { fork = forkHost, restartMs }: LlamaWorld) {
    this.#models = models.map(
      (model) =>
        new SupervisedModel({
          load: { ...shared, model },
          fork,
          onChange: (change) => this.#tell(change),
          ...(restartMs === undefined ? {} : { restartMs }),
        }),
    )
  }

  // One after the other: how much memory the next may take is only known once the previous has taken its own.
  async start(signal: AbortSignal): Promise<void> {
    const failures: unknown[] = []
    for (const model of this.#models) await model.start(signal).catch((error: unknown) => failures.push(error))
    signal.throwIfAborted()
    if (failures.length === this.#models.length) throw failures[0] ?? new EngineError('failed', 'No model to serve')
    this.#tell({ type: 'models-changed' })
  }

  models() {
    return this.#models.flatMap(({ model }) => model ?? [])
  }

  async *run(job: ChatJob, signal: AbortSignal, report: (progress: EngineProgress) => void): AsyncGenerator<ChatEvent> {
    const model = this.#models.find(({ name }) => name === job.model)
    if (model === undefined)
      throw new EngineError('failed', `Model "${job.model}" is not served here`, { retryable: true })
    yield* model.run(job, signal, report)
  }

  onChange(listener: (change: EngineChange) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  async stop(): Promise<void> {
    await Promise.all(this.#models.map((model) => model.stop()))
  }

  #tell(change: EngineChange): void {
    for (const listener of this.#listeners) listener(change)
  }
}
