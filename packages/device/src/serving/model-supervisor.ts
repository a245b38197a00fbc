// Keeps one model served while it is wanted: loads it into an engine, replaces an engine that died, and tries again when loading failed.
// Nothing else on the device restarts anything.

import type { ChatEvent, ChatJob } from '@hearth/protocol'
import { unlessAborted, waitOrAbort, type Clock } from '../clock.ts'
import {
  EngineError,
  NoRoomError,
  type EngineEnd,
  type EngineProgress,
  type LoadProgress,
  type Memory,
  type ModelEngine,
  type Room,
} from '../engines/engine.ts'
import { describeError } from '@hearth/command-line/errors'
import type { ModelEntry } from '../models/registry/registry.ts'
import type { ModelState } from '../news.ts'
import { CrashRecord, type Blocked } from './crash-record.ts'
import type { LoadQueue } from './load-queue.ts'
import { RestartPlan, type Pause } from './restart-plan.ts'
import type { ReportLoading } from './start-engine.ts'

export interface SupervisorOptions {
  entry: ModelEntry
  /** Called when it is this model's turn to load. Rejects if it can't be loaded, and then leaves nothing running. */
  startEngine: (signal: AbortSignal, room: Room, report: ReportLoading) => Promise<ModelEngine>
  /** Shared by all models. */
  loads: LoadQueue
  room: Room
  clock: Clock
  onState: (state: ModelState) => void
  /** Another request is blocked, because engines died on it; undefined when the last one no longer is. */
  onBlocked: (blocked: Blocked | undefined) => void
}

/** Even a very large model on a slow disk is loaded by then. */
const LOAD_MS = 60 * 60_000

export class ModelSupervisor {
  readonly entry: ModelEntry
  readonly #options: SupervisorOptions
  readonly #plan = new RestartPlan()
  readonly #crashes: CrashRecord
  /** Set while requests are blocked: cancels the alarm for when they no longer are. */
  #toldBlocked: (() => void) | undefined
  readonly #end = new AbortController()
  readonly #ended: Promise<void>
  #state: ModelState = { name: 'loadable' }
  /** The engine while it serves. */
  #engine: ModelEngine | undefined
  #isWanted = false
  #whyUnloaded: string | undefined
  /** Ends the wait of a model that nobody wants. */
  #wake = Promise.withResolvers<void>()
  #unloaded: PromiseWithResolvers<void> | undefined
  /** How long loading took, without the time that other models took to make room. */
  #loadMs = 0
  /** Ends the current engine, or the pause before the next one. */
  #replace = new AbortController()
  #replaced: PromiseWithResolvers<void> | undefined

  constructor(options: SupervisorOptions) {
    this.#options = options
    this.entry = options.entry
    this.#crashes = new CrashRecord(options.clock)
    this.#ended = this.#supervise()
  }

  get state(): ModelState {
    return this.#state
  }

  get memory(): Memory | undefined {
    return this.#engine?.memory
  }

  get loadMs(): number {
    return this.#loadMs
  }

  get blocked(): Blocked | undefined {
    return this.#crashes.blocked
  }

  /** Accepts all requests again. */
  unblock(): void {
    this.#crashes.clear()
    this.#tellBlocked()
  }

  load(): void {
    this.#isWanted = true
    this.#wake.resolve()
  }

  /** Resolves when the engine is gone, and its memory free. */
  unload(why: string): Promise<void> {
    this.#isWanted = false
    this.#whyUnloaded = why
    this.#unloaded ??= Promise.withResolvers()
    const { promise } = this.#unloaded
    this.#replace.abort()
    return promise
  }

  /** Throws EngineError if the model is not serving, or if engines keep dying on this job: another device may have a better one. */
  run(job: ChatJob, signal: AbortSignal, report: (progress: EngineProgress) => void): AsyncIterable<ChatEvent> {
    if (this.#engine === undefined)
      throw new EngineError('failed', `Model "${this.entry.name}" is not loaded right now`, { retryable: true })
    if (this.#crashes.isBlocked(job))
      throw new EngineError('failed', 'The engine crashed on this request several times', {
        retryable: true,
        crashed: true,
      })
    return this.#engine.run(job, signal, report)
  }

  /** Resolves when the current engine is gone, with all its jobs. */
  restart(): Promise<void> {
    this.#replaced ??= Promise.withResolvers()
    const { promise } = this.#replaced
    this.#replace.abort()
    return promise
  }

  async stop(): Promise<void> {
    this.#end.abort()
    this.#replace.abort()
    this.#wake.resolve()
    await this.#ended
  }

  async #supervise(): Promise<void> {
    // The first state is reported only after the constructor has returned.
    await Promise.resolve()
    while (!this.#end.signal.aborted) {
      if (!this.#isWanted) {
        await this.#beUnloaded()
        continue
      }
      this.#replace = new AbortController()
      const { signal } = this.#replace
      const pause = await this.#serveOnce(signal)
      this.#settleRestart()
      if (pause === undefined) continue
      await waitOrAbort(this.#options.clock, pause.ms, signal)
      this.#settleRestart()
    }
    this.#unloaded?.resolve()
    this.#toldBlocked?.()
    this.#enter({ name: 'stopped' })
  }

  async #beUnloaded(): Promise<void> {
    this.#wake = Promise.withResolvers()
    if (this.#state.name !== 'loadable') {
      this.#enter({ name: 'loadable', ...(this.#whyUnloaded === undefined ? {} : { why: this.#whyUnloaded }) })
      this.#whyUnloaded = undefined
    }
    this.#unloaded?.resolve()
    this.#unloaded = undefined
    await this.#wake.promise
  }

  #settleRestart(): void {
    this.#replaced?.resolve()
    this.#replaced = undefined
  }

  /** From loading to the end of one engine. Returns the pause before the next try; undefined if `signal` ended this one. */
  async #serveOnce(signal: AbortSignal): Promise<Pause | undefined> {
    const { loads, clock } = this.#options
    if (this.#state.name !== 'restarting') this.#enter({ name: 'loading', sinceMs: clock.now() })
    let engine: ModelEngine | undefined
    try {
      engine = await loads.run(() => this.#load(signal), signal)
      const servingSince = clock.now()
      const end = await this.#serve(engine, signal)
      return end && this.#failed(end.why, this.#plan.afterCrash(clock.now() - servingSince))
    } catch (error) {
      if (error instanceof NoRoomError) this.#isWanted = false
      const isOver = signal.aborted || error instanceof NoRoomError
      return isOver ? undefined : this.#failed(describeError(error), this.#plan.afterFailedLoad())
    } finally {
      // The engine is given up in any case, and the next one says what doesn't work.
      await engine?.stop().catch(() => {})
    }
  }

  async #load(signal: AbortSignal): Promise<ModelEngine> {
    const late = new AbortController()
    const { clock } = this.#options
    const cancelAlarm = clock.after(LOAD_MS, () => late.abort(new Error('loading took too long')))
    const since = clock.now()
    const room = new TimedRoom(this.#options.room, clock)
    try {
      const report: ReportLoading = (progress) => this.#loading(progress)
      const engine = await this.#options.startEngine(AbortSignal.any([signal, late.signal]), room, report)
      this.#loadMs = clock.now() - since - room.waitedMs
      return engine
    } finally {
      cancelAlarm()
    }
  }

  #loading(progress: LoadProgress): void {
    if (this.#state.name === 'loading') this.#enter({ ...this.#state, progress })
  }

  /** Resolves when the engine dies, or with undefined when `signal` is aborted. */
  async #serve(engine: ModelEngine, signal: AbortSignal): Promise<EngineEnd | undefined> {
    const [model] = engine.models()
    if (model === undefined) throw new Error('the engine loaded no model')
    this.#engine = engine
    this.#enter({ name: 'serving', model })
    // An engine that is being replaced has no end of its own.
    const end = await unlessAborted(engine.ended, signal).catch(() => undefined)
    this.#engine = undefined
    if (end !== undefined) this.#note(end)
    return end
  }

  #note(end: EngineEnd): void {
    if (this.#crashes.note(end)) this.#tellBlocked()
  }

  #tellBlocked(): void {
    const { clock, onBlocked } = this.#options
    const { blocked } = this.#crashes
    if (blocked === undefined && this.#toldBlocked === undefined) return
    this.#toldBlocked?.()
    this.#toldBlocked = blocked && clock.after(blocked.untilMs - clock.now(), () => this.#tellBlocked())
    onBlocked(blocked)
  }

  #failed(why: string, pause: Pause): Pause {
    this.#enter(pause.isRestart ? { name: 'restarting', why } : { name: 'failed', why, retryInMs: pause.ms })
    return pause
  }

  #enter(state: ModelState): void {
    this.#state = state
    this.#options.onState(state)
  }
}

// A room that notes how long it took to make it: that time is no part of loading.
class TimedRoom implements Room {
  waitedMs = 0
  readonly held: Room['held']
  readonly evictable: Room['evictable']
  readonly #room: Room
  readonly #clock: Clock

  constructor(room: Room, clock: Clock) {
    this.#room = room
    this.#clock = clock
    this.held = () => room.held()
    this.evictable = () => room.evictable()
  }

  async make(signal: AbortSignal): Promise<'made' | 'take-less' | 'give-up'> {
    const since = this.#clock.now()
    try {
      return await this.#room.make(signal)
    } finally {
      this.waitedMs += this.#clock.now() - since
    }
  }
}
