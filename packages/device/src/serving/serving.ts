// All models of this device as one engine: the machine's own models, loaded when they are needed, and the models of local servers. A model
// that fails, crashes or changes leaves the others alone.

import type { ChatEvent, DeviceModel } from '@hearth/protocol'
import type { Clock } from '../clock.ts'
import { EngineError, type ChangingEngine, type EngineJob, type EngineProgress } from '../engines/engine.ts'
import type { ModelEntry } from '../models/registry/registry.ts'
import type { ModelState } from '../news.ts'
import { announceLoaded, announceUnloaded, type ModelFacts } from './announce.ts'
import type { Blocked } from './crash-record.ts'
import { HostedModel } from './hosted-model.ts'
import { LoadQueue } from './load-queue.ts'
import { ModelSupervisor } from './model-supervisor.ts'
import { Residency } from './residency.ts'
import type { StartEngine } from './start-engine.ts'

export interface ServingOptions {
  /** The kind of the engines that startEngine starts. */
  kind: string
  startEngine: StartEngine
  clock: Clock
  onState: (name: string, state: ModelState) => void
  onBlocked?: (name: string, blocked: Blocked) => void
  /** How long an idle model stays in memory; forever unless given. */
  keepAliveMs?: (entry: ModelEntry) => number
  /** Known about models from when they were loaded before. A model that nothing is known about is announced once it is loaded. */
  facts?: ModelFacts
}

export class Serving implements ChangingEngine {
  readonly #options: ServingOptions
  /** Each with what stops listening to it. */
  readonly #servers = new Map<ChangingEngine, () => void>()
  readonly #own = new Map<string, HostedModel>()
  readonly #listeners = new Set<() => void>()
  readonly #loads = new LoadQueue()
  readonly #residency: Residency
  /** Models that were removed and still have jobs or memory. */
  readonly #ending = new Map<HostedModel, Promise<void>>()
  #wanted: readonly ModelEntry[] = []
  #isStopped = false

  constructor(options: ServingOptions) {
    this.#options = options
    this.#residency = new Residency(() => this.#own.values(), options.clock)
  }

  get kind(): string {
    return [...new Set([this.#options.kind, ...this.#servers.keys().map(({ kind }) => kind)])].join('+')
  }

  /** Nothing to do: `sync` loads the machine's own models, and local servers start when they are added. */
  async start(): Promise<void> {}

  /** Serves the models of a local server too. */
  async addServer(server: ChangingEngine, signal: AbortSignal): Promise<void> {
    this.#servers.set(
      server,
      server.onChange(() => this.#changed()),
    )
    await server.start(signal)
  }

  /** It takes no more jobs, and those that run on it end. */
  async removeServer(server: ChangingEngine): Promise<void> {
    this.#servers.get(server)?.()
    if (this.#servers.delete(server)) this.#changed()
    await server.stop()
  }

  /** A model that several have counts once: as a loaded one of the machine, of a server, or one that can be loaded. */
  models(): readonly DeviceModel[] {
    const own = [...this.#own.values()]
    const all = [
      ...own.flatMap((model) => announceLoaded(model)),
      ...this.#servers.keys().flatMap((server) => server.models()),
      ...own.flatMap((model) => announceUnloaded(model, this.#options.facts)),
    ]
    return all.filter(({ name }, index) => all.findIndex((other) => other.name === name) === index)
  }

  /** Runs where `models()` found the model first. */
  run(job: EngineJob, signal: AbortSignal, report: (progress: EngineProgress) => void): AsyncIterable<ChatEvent> {
    const own = this.#own.get(job.model)
    if (own?.state.name === 'serving') return own.run(job, signal, report)
    const server = this.#servers.keys().find((other) => other.models().some(({ name }) => name === job.model))
    if (server !== undefined) return server.run(job, signal, report)
    if (own?.state.name === 'loading' || own?.state.name === 'loadable') return own.run(job, signal, report)
    throw new EngineError('failed', `Model "${job.model}" is not loaded right now`, { retryable: true })
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Serves exactly these models of the machine: loads as many as fit, the most recently used first, and the others when jobs ask for them. */
  sync(entries: readonly ModelEntry[]): void {
    this.#wanted = entries
    for (const model of this.#own.values()) {
      const entry = entries.find((other) => isSame(other, model.supervisor.entry))
      if (entry === undefined) void this.#remove(model)
      else model.keepAliveMs = this.#keepAliveMs(entry)
    }
    void this.#addWanted()
    this.#residency.update()
  }

  /** Resolves when the model's engine and its jobs are gone; the next engine is then starting. Never rejects. */
  restart(name: string): Promise<void> {
    return this.#own.get(name)?.supervisor.restart() ?? Promise.resolve()
  }

  /** The machine's own models. */
  states(): ReadonlyMap<string, ModelState> {
    return new Map([...this.#own].map(([name, { state }]) => [name, state]))
  }

  /** Those of them that reject requests because engines died on them. */
  blocked(): ReadonlyMap<string, Blocked> {
    const all = [...this.#own].map(([name, { supervisor }]) => [name, supervisor.blocked] as const)
    return new Map(all.flatMap(([name, blocked]) => (blocked === undefined ? [] : [[name, blocked]])))
  }

  /** Accepts all requests again, of this model or of all. */
  unblock(model?: string): void {
    const models = model === undefined ? this.#own.values() : [this.#own.get(model)]
    for (const hosted of models) hosted?.supervisor.unblock()
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    this.#residency.stop()
    const all = [...this.#own.values(), ...this.#ending.keys()]
    this.#own.clear()
    const servers = [...this.#servers.keys()]
    await Promise.all([...all.map(({ supervisor }) => supervisor.stop()), ...servers.map((server) => server.stop())])
  }

  /** A model that changed comes back once the old one is gone: its memory is freed before the next model takes it. */
  async #addWanted(): Promise<void> {
    while (this.#ending.size > 0 && !this.#isStopped) await Promise.race(this.#ending.values())
    if (this.#isStopped) return
    const added = this.#wanted.filter(({ name }) => !this.#own.has(name)).map((entry) => this.#add(entry))
    const early = added.filter(({ keepAliveMs }) => keepAliveMs > 0)
    this.#residency.loadEarly(early.toSorted((a, b) => b.usedAt - a.usedAt))
  }

  #add(entry: ModelEntry): HostedModel {
    const { clock, facts } = this.#options
    const supervisor = new ModelSupervisor({
      entry,
      clock,
      loads: this.#loads,
      startEngine: (...when) => this.#options.startEngine(entry, this.#unloadedBeside(entry), ...when),
      room: this.#residency.roomFor(entry.name),
      onState: (state) => this.#stateChanged(model, state),
      onBlocked: (blocked) => this.#blocked(entry.name, blocked),
    })
    const onJobs = (): void => this.#residency.update()
    const usedAt = facts?.usedAt(entry) ?? Number.NEGATIVE_INFINITY
    const model = new HostedModel(supervisor, { clock, onJobs, usedAt, keepAliveMs: this.#keepAliveMs(entry) })
    this.#own.set(entry.name, model)
    return model
  }

  #blocked(name: string, blocked: Blocked | undefined): void {
    if (blocked !== undefined) this.#options.onBlocked?.(name, blocked)
    this.#changed()
  }

  #keepAliveMs(entry: ModelEntry): number {
    return this.#options.keepAliveMs?.(entry) ?? Number.POSITIVE_INFINITY
  }

  #stateChanged(model: HostedModel, state: ModelState): void {
    const { facts, onState } = this.#options
    const { entry, loadMs } = model.supervisor
    if (state.name === 'serving') facts?.remember(entry, state.model, loadMs)
    model.stateChanged(state)
    onState(model.name, state)
    this.#changed()
    this.#residency.stateChanged(model, state)
  }

  #unloadedBeside(entry: ModelEntry): ModelEntry[] {
    const others = [...this.#own.values()].filter(({ name, state }) => name !== entry.name && isToCome(state))
    return others.toSorted((a, b) => b.usedAt - a.usedAt).map(({ supervisor }) => supervisor.entry)
  }

  async #remove(model: HostedModel): Promise<void> {
    this.#own.delete(model.name)
    this.#residency.forget(model)
    const gone = model.retire().then(() => model.supervisor.stop())
    this.#ending.set(model, gone)
    await gone
    this.#ending.delete(model)
  }

  #changed(): void {
    for (const listener of this.#listeners) listener()
  }
}

function isToCome({ name }: ModelState): boolean {
  return name === 'loadable' || name === 'loading' || name === 'restarting'
}

/** How long it stays in memory can change while it is loaded. */
function isSame(a: ModelEntry, b: ModelEntry): boolean {
  const [one, other] = [a, b].map((entry) => JSON.stringify({ ...entry, keepAlive: undefined }))
  return one === other
}
