// Loads and unloads the machine's own models: what fits at the start, what jobs ask for after that. `swap-policy.ts` decides, this carries it out.

import { unlessAborted, type Clock } from '../clock.ts'
import type { Memory, Room } from '../engines/engine.ts'
import { formatKeepAlive } from '../models/registry/keep-alive.ts'
import type { ModelState } from '../news.ts'
import type { HostedModel } from './hosted-model.ts'
import { expiresAt, makeRoom, nextToLoad } from './swap-policy.ts'

export class Residency {
  readonly #models: () => Iterable<HostedModel>
  readonly #clock: Clock
  /** Models to load while there is room for them, without unloading others. */
  #early: HostedModel[] = []
  #loading: HostedModel | undefined
  #changed = Promise.withResolvers<void>()
  #cancelAlarm: () => void = () => undefined
  #isStopped = false

  constructor(models: () => Iterable<HostedModel>, clock: Clock) {
    this.#models = models
    this.#clock = clock
  }

  /** Loads them as far as they fit, in this order. */
  loadEarly(models: readonly HostedModel[]): void {
    this.#early.push(...models)
    this.update()
  }

  forget(model: HostedModel): void {
    this.#early = this.#early.filter((other) => other !== model)
    if (this.#loading === model) this.#loading = undefined
  }

  stateChanged(model: HostedModel, state: ModelState): void {
    if (this.#loading === model && state.name !== 'loading') this.#loading = undefined
    this.update()
  }

  /** Call this whenever a job or a model has changed. */
  update(): void {
    if (this.#isStopped) return
    this.#changed.resolve()
    this.#changed = Promise.withResolvers()
    this.#unloadExpired()
    this.#loadNext()
    this.#setAlarm()
  }

  stop(): void {
    this.#isStopped = true
    this.#cancelAlarm()
    this.#changed.resolve()
  }

  /** The memory as this model sees it. */
  roomFor(name: string): Room {
    const others = (): HostedModel[] => [...this.#models()].filter((other) => other.name !== name && isLoaded(other))
    return {
      held: () => sumMemory(others()),
      evictable: () => sumMemory(others().filter(({ keepAliveMs }) => keepAliveMs < Number.POSITIVE_INFINITY)),
      make: (signal) => this.#makeRoom(name, others, signal),
    }
  }

  async #makeRoom(
    model: string,
    others: () => HostedModel[],
    signal: AbortSignal,
  ): Promise<'made' | 'take-less' | 'give-up'> {
    const before = others()
    try {
      for (;;) {
        const now = others()
        if (signal.aborted || this.#isStopped) return 'give-up'
        if (before.some((other) => !now.includes(other))) return 'made'
        if (!this.#isWaitedFor(model)) return now.length === 0 ? 'take-less' : 'give-up'
        const loaded = now.flatMap((other) => other.loaded() ?? [])
        const step = makeRoom(loaded, this.#clock.now())
        if (step.do === 'nothing') return 'take-less'
        if (step.do === 'wait') await this.#nextChange(step.until, signal)
        else for (const other of now) if (other.name === step.name) await this.#clear(other, step.do, model, signal)
      }
    } finally {
      for (const other of others()) other.open()
    }
  }

  #isWaitedFor(model: string): boolean {
    return [...this.#models()].some(({ name, waitingSince }) => name === model && waitingSince !== undefined)
  }

  async #clear(other: HostedModel, how: 'unload' | 'close', model: string, signal: AbortSignal): Promise<void> {
    other.close()
    if (how === 'unload') await other.unload(`to make room for ${model}`)
    else if (other.running > 0) await this.#nextChange(Number.POSITIVE_INFINITY, signal)
  }

  /** Until a job or a model changes, the time has come, or nobody waits any more. */
  async #nextChange(until: number, signal: AbortSignal): Promise<void> {
    const over = Promise.withResolvers<void>()
    const leftMs = until - this.#clock.now()
    const cancel = leftMs < Number.POSITIVE_INFINITY ? this.#clock.after(Math.max(0, leftMs), over.resolve) : undefined
    await unlessAborted(Promise.race([this.#changed.promise, over.promise]), signal).catch(() => {})
    cancel?.()
  }

  #unloadExpired(): void {
    for (const model of this.#models()) {
      const loaded = model.loaded()
      if (loaded === undefined || loaded.isClosing || !model.isIdle || expiresAt(loaded) > this.#clock.now()) continue
      const kept = model.keepAliveMs === 0 ? 'its last job' : `${formatKeepAlive(model.keepAliveMs)} without a job`
      void model.unload(`after ${kept}`)
    }
  }

  #loadNext(): void {
    if (this.#loading !== undefined) return
    const next = nextToLoad([...this.#models()].filter(isLoadable)) ?? this.#nextEarly()
    if (next === undefined) return
    this.#loading = next
    next.supervisor.load()
  }

  #nextEarly(): HostedModel | undefined {
    this.#early = this.#early.filter(isLoadable)
    return this.#early.shift()
  }

  #setAlarm(): void {
    this.#cancelAlarm()
    const times = [...this.#models()].map((model) => model.loaded()).filter((loaded) => loaded !== undefined)
    const next = Math.min(Number.POSITIVE_INFINITY, ...times.map(expiresAt))
    if (next === Number.POSITIVE_INFINITY) return
    this.#cancelAlarm = this.#clock.after(Math.max(0, next - this.#clock.now()), () => this.update())
  }
}

function isLoadable({ state }: HostedModel): boolean {
  return state.name === 'loadable'
}

function isLoaded({ state }: HostedModel): boolean {
  return state.name === 'serving'
}

function sumMemory(models: readonly HostedModel[]): Memory {
  const all = models.map(({ supervisor }) => supervisor.memory ?? { ram: 0, gpu: 0 })
  return all.reduce((sum, { ram, gpu }) => ({ ram: sum.ram + ram, gpu: sum.gpu + gpu }), { ram: 0, gpu: 0 })
}
