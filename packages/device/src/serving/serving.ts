// All models of this device as one engine: the machine's own models, each with its supervisor, and the models of local servers. A model
// that fails, crashes or changes leaves the others alone.

import type { ChatEvent, ChatJob, DeviceModel } from '@hearth/protocol'
import type { Clock } from '../clock.ts'
import { EngineError, type ChangingEngine, type EngineProgress, type ModelEngine } from '../engines/engine.ts'
import type { ModelEntry } from '../models/registry.ts'
import type { ModelState } from '../news.ts'
import { LoadQueue } from './load-queue.ts'
import { ModelSupervisor } from './model-supervisor.ts'

export interface Serving extends ChangingEngine {
  /** Loads and unloads the machine's own models until they match this list. */
  sync(entries: readonly ModelEntry[]): void
  /** Resolves when the model's engine and its jobs are gone; the next engine is then starting. Never rejects. */
  restart(model: string): Promise<void>
  /** The machine's own models. */
  states(): ReadonlyMap<string, ModelState>
}

export interface ServingOptions {
  /** The kind of the engines that createEngine makes. */
  kind: string
  /** Models of `later` are loaded after this one, and need room too. */
  createEngine: (entry: ModelEntry, later: readonly ModelEntry[]) => ModelEngine
  servers?: readonly ChangingEngine[]
  clock: Clock
  onState: (name: string, state: ModelState) => void
}

export function createServing(options: ServingOptions): Serving {
  return new DeviceServing(options)
}

class DeviceServing implements Serving {
  readonly kind: string
  readonly #options: ServingOptions
  readonly #servers: readonly ChangingEngine[]
  readonly #supervisors = new Map<string, ModelSupervisor>()
  readonly #listeners = new Set<() => void>()
  readonly #loads = new LoadQueue()
  /** Unloads in progress: memory is released before the next model takes it. */
  #ending: Promise<unknown> = Promise.resolve()
  #wanted: readonly ModelEntry[] = []
  #isStopped = false

  constructor(options: ServingOptions) {
    this.#options = options
    this.#servers = options.servers ?? []
    this.kind = [...new Set([options.kind, ...this.#servers.map(({ kind }) => kind)])].join('+')
    for (const server of this.#servers) server.onChange(() => this.#changed())
  }

  /** Starts the local servers; the machine's own models are loaded by `sync`. */
  async start(signal: AbortSignal): Promise<void> {
    await Promise.all(this.#servers.map((server) => server.start(signal)))
  }

  models(): readonly DeviceModel[] {
    const own = [...this.#supervisors.values()].flatMap(({ state }) => (state.name === 'serving' ? [state.model] : []))
    const all = [...own, ...this.#servers.flatMap((server) => server.models())]
    return all.filter(({ name }, index) => all.findIndex((other) => other.name === name) === index)
  }

  /** A model that several have runs where `models()` found it first. */
  run(job: ChatJob, signal: AbortSignal, report: (progress: EngineProgress) => void): AsyncIterable<ChatEvent> {
    const own = this.#supervisors.get(job.model)
    if (own?.state.name === 'serving') return own.run(job, signal, report)
    const server = this.#servers.find((other) => other.models().some(({ name }) => name === job.model))
    if (server !== undefined) return server.run(job, signal, report)
    throw new EngineError('failed', `Model "${job.model}" is not loaded right now`, { retryable: true })
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  sync(entries: readonly ModelEntry[]): void {
    this.#wanted = entries
    for (const supervisor of this.#supervisors.values())
      if (!entries.some((entry) => isSame(entry, supervisor.entry))) this.#unload(supervisor)
    void this.#loadWanted()
  }

  restart(name: string): Promise<void> {
    return this.#supervisors.get(name)?.restart() ?? Promise.resolve()
  }

  states(): ReadonlyMap<string, ModelState> {
    return new Map([...this.#supervisors].map(([name, { state }]) => [name, state]))
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    for (const supervisor of this.#supervisors.values()) this.#unload(supervisor)
    await Promise.all([this.#ending, ...this.#servers.map((server) => server.stop())])
  }

  async #loadWanted(): Promise<void> {
    await this.#ending
    for (const entry of this.#wanted) if (!this.#supervisors.has(entry.name) && !this.#isStopped) this.#load(entry)
  }

  #load(entry: ModelEntry): void {
    const { clock } = this.#options
    const createEngine = (): ModelEngine => this.#options.createEngine(entry, this.#laterThan(entry))
    const onState = (state: ModelState): void => {
      this.#options.onState(entry.name, state)
      this.#changed()
    }
    this.#supervisors.set(entry.name, new ModelSupervisor({ entry, createEngine, loads: this.#loads, clock, onState }))
  }

  #laterThan(entry: ModelEntry): ModelEntry[] {
    const others = this.#wanted.filter(({ name }) => name !== entry.name)
    return others.filter(({ name }) => {
      const state = this.#supervisors.get(name)?.state.name ?? 'loading'
      return state === 'loading' || state === 'restarting'
    })
  }

  #unload(supervisor: ModelSupervisor): void {
    this.#supervisors.delete(supervisor.entry.name)
    this.#ending = Promise.all([this.#ending, supervisor.stop()])
  }

  #changed(): void {
    for (const listener of this.#listeners) listener()
  }
}

function isSame(a: ModelEntry, b: ModelEntry): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}
