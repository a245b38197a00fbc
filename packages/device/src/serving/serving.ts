// All models of this machine as one engine: each runs in an engine of its own, so that one that fails, crashes or changes leaves the others
// alone.

import type { ChatEvent, ChatJob, DeviceModel } from '@hearth/protocol'
import type { Clock } from '../clock.ts'
import { EngineError, type Engine, type EngineChange, type EngineProgress } from '../engines/engine.ts'
import type { ModelEntry } from '../models/registry.ts'
import type { ModelState } from '../news.ts'
import { ServedModel } from './served-model.ts'

export interface Serving extends Engine {
  /** Brings what is served in line with this list. */
  sync(entries: readonly ModelEntry[]): void
  /** Resolves when the engine of the model, and its jobs, are gone; another one is being started then. Never rejects. */
  restart(model: string): Promise<void>
  states(): ReadonlyMap<string, ModelState>
}

export interface ServingOptions {
  kind: string
  createEngine: (entry: ModelEntry) => Engine
  clock: Clock
  onState: (name: string, state: ModelState) => void
}

export function createServing(options: ServingOptions): Serving {
  return new CombinedEngine(options)
}

class CombinedEngine implements Serving {
  readonly kind: string
  readonly #options: ServingOptions
  readonly #served = new Map<string, ServedModel>()
  readonly #listeners = new Set<(change: EngineChange) => void>()
  /** Ends that are under way: memory is given back before the next model takes it. */
  #ending: Promise<unknown> = Promise.resolve()
  #wanted: readonly ModelEntry[] = []
  #isStopped = false

  constructor(options: ServingOptions) {
    this.kind = options.kind
    this.#options = options
  }

  /** Models are loaded by sync. */
  start(): Promise<void> {
    return Promise.resolve()
  }

  models(): readonly DeviceModel[] {
    return [...this.#served.values()].flatMap(({ state }) => (state.name === 'serving' ? [state.model] : []))
  }

  run(job: ChatJob, signal: AbortSignal, report: (progress: EngineProgress) => void): AsyncIterable<ChatEvent> {
    const engine = this.#served.get(job.model)?.engine
    if (engine === undefined) throw new EngineError('failed', 'The model is being loaded', { retryable: true })
    return engine.run(job, signal, report)
  }

  onChange(listener: (change: EngineChange) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  sync(entries: readonly ModelEntry[]): void {
    this.#wanted = entries
    for (const model of this.#served.values())
      if (!entries.some((entry) => isSame(entry, model.entry))) this.#letGo(model)
    void this.#beginWanted()
  }

  restart(name: string): Promise<void> {
    return this.#served.get(name)?.restart() ?? Promise.resolve()
  }

  states(): ReadonlyMap<string, ModelState> {
    return new Map([...this.#served].map(([name, { state }]) => [name, state]))
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    for (const model of this.#served.values()) this.#letGo(model)
    await this.#ending
  }

  async #beginWanted(): Promise<void> {
    await this.#ending
    for (const entry of this.#wanted) if (!this.#served.has(entry.name) && !this.#isStopped) this.#begin(entry)
  }

  #begin(entry: ModelEntry): void {
    const { createEngine, clock, onState } = this.#options
    const tell = (state: ModelState): void => {
      onState(entry.name, state)
      for (const listener of this.#listeners) listener({ type: 'models-changed' })
    }
    this.#served.set(entry.name, new ServedModel({ entry, createEngine, clock, onState: tell }))
  }

  #letGo(model: ServedModel): void {
    this.#served.delete(model.entry.name)
    this.#ending = Promise.all([this.#ending, model.stop()])
  }
}

function isSame(a: ModelEntry, b: ModelEntry): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}
