// One of the machine's own models, with the jobs that run on it and those that wait until it is loaded.

import { jobNeeds, type ChatEvent, type DeviceModel } from '@hearth/protocol'
import type { Clock } from '../clock.ts'
import { EngineError, type EngineJob, type EngineProgress } from '../engines/engine.ts'
import type { ModelState } from '../news.ts'
import type { ModelSupervisor } from './model-supervisor.ts'
import type { Loaded } from './swap-policy.ts'

type Report = (progress: EngineProgress) => void

interface Waiter {
  since: number
  start: () => void
  fail: (error: Error) => void
}

export interface HostedModelOptions {
  /** `usedAt` of an earlier run of the app; later is more recent. */
  usedAt: number
  keepAliveMs: number
  clock: Clock
  /** A job came, ended or was given up. */
  onJobs: () => void
}

export class HostedModel {
  readonly supervisor: ModelSupervisor
  readonly #clock: Clock
  readonly #onJobs: () => void
  readonly #waiting = new Set<Waiter>()
  keepAliveMs: number
  usedAt: number
  #loadedAt = Number.NEGATIVE_INFINITY
  #running = 0
  #isClosing = false
  /** Its engine is being stopped. */
  #isLeaving = false
  #retired: PromiseWithResolvers<void> | undefined

  constructor(supervisor: ModelSupervisor, options: HostedModelOptions) {
    this.supervisor = supervisor
    this.#clock = options.clock
    this.#onJobs = options.onJobs
    this.usedAt = options.usedAt
    this.keepAliveMs = options.keepAliveMs
  }

  get name(): string {
    return this.supervisor.entry.name
  }

  get state(): ModelState {
    return this.supervisor.state
  }

  get waitingSince(): number | undefined {
    return this.#waiting.values().next().value?.since
  }

  get isIdle(): boolean {
    return this.#running === 0 && this.#waiting.size === 0
  }

  get running(): number {
    return this.#running
  }

  /** Undefined if it is not in memory. */
  loaded(): Loaded | undefined {
    if (this.state.name !== 'serving') return undefined
    const { name, usedAt, keepAliveMs } = this
    const { loadMs } = this.supervisor
    const loadedAt = this.#loadedAt
    return {
      name,
      loadedAt,
      loadMs,
      usedAt: Math.max(usedAt, loadedAt),
      running: this.#running,
      isClosing: this.#isClosing,
      keepAliveMs,
    }
  }

  /** Throws EngineError if the model can't be loaded. */
  async *run(job: EngineJob, signal: AbortSignal, report: Report): AsyncGenerator<ChatEvent> {
    await this.#begin(job, signal, report)
    try {
      yield* this.supervisor.run(job, signal, report)
    } finally {
      this.usedAt = this.#clock.now()
      this.#leave()
    }
  }

  #leave(): void {
    this.#running -= 1
    if (this.#running === 0) this.#retired?.resolve()
    this.#onJobs()
  }

  /** From now on the model takes no new jobs, and may be unloaded once it has none. */
  close(): void {
    this.#isClosing = true
  }

  open(): void {
    if (this.#isLeaving || this.#retired !== undefined) return
    this.#isClosing = false
    this.#startWaiting()
  }

  /** Resolves when its memory is free. Jobs that come meanwhile wait until it is loaded again. */
  async unload(why: string): Promise<void> {
    this.#isClosing = true
    this.#isLeaving = true
    await this.supervisor.unload(why)
  }

  /** For a model that was removed: jobs that wait fail, those that run may end. Resolves when none is left. */
  async retire(): Promise<void> {
    this.#retired ??= Promise.withResolvers()
    this.#isClosing = true
    this.#failWaiting(`Model "${this.name}" was removed from the device`)
    if (this.#running > 0) await this.#retired.promise
  }

  stateChanged(state: ModelState): void {
    if (state.name === 'serving') this.#loadedAt = this.#clock.now()
    this.#isLeaving = false
    if (state.name === 'serving' || state.name === 'loadable') this.open()
    if (state.name === 'failed') this.#failWaiting(`Model "${this.name}" can't be loaded: ${state.why}`)
    if (state.name === 'stopped') this.#failWaiting(`Model "${this.name}" is no longer served by the device`)
  }

  async #begin(job: EngineJob, signal: AbortSignal, report: Report): Promise<void> {
    if (this.#takesJobs) return void (this.#running += 1)
    report({ phase: 'loading' })
    await this.#waitForTurn(signal)
    const { state } = this
    if (state.name === 'serving') this.#checkNeeds(job, state.model)
    report({ phase: 'queued' })
  }

  get #takesJobs(): boolean {
    return this.state.name === 'serving' && !this.#isClosing
  }

  /** Counts the job as running before anything else can happen to the model. */
  async #waitForTurn(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    const turn = Promise.withResolvers<void>()
    const waiter = { since: this.#clock.now(), start: turn.resolve, fail: turn.reject }
    const giveUp = (): void => {
      if (this.#waiting.delete(waiter)) turn.reject(signal.reason)
    }
    signal.addEventListener('abort', giveUp, { once: true })
    this.#waiting.add(waiter)
    this.#onJobs()
    try {
      await turn.promise
    } finally {
      signal.removeEventListener('abort', giveUp)
      if (signal.aborted) this.#onJobs()
    }
  }

  #startWaiting(): void {
    if (!this.#takesJobs) return
    for (const waiter of this.#waiting) {
      this.#running += 1
      waiter.start()
    }
    this.#waiting.clear()
  }

  #failWaiting(why: string): void {
    for (const waiter of this.#waiting) waiter.fail(new EngineError('failed', why, { retryable: true }))
    this.#waiting.clear()
  }

  /** Before a model is loaded for the first time, its features are a guess. Searching the web is done before the job gets here. */
  #checkNeeds(job: EngineJob, { features }: DeviceModel): void {
    if (jobNeeds(job).every(({ feature }) => feature === 'web_search' || features.includes(feature))) return
    this.#leave()
    throw new EngineError('failed', `Model "${this.name}" can't do what this request asks for`, { retryable: true })
  }
}
