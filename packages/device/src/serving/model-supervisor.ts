// Keeps one model served while it is wanted: loads it into an engine, replaces an engine that died, and tries again when loading failed.
// Nothing else on the device restarts anything.

import type { ChatEvent, ChatJob, DeviceModel } from '@hearth/protocol'
import { waitOrAbort, type Clock } from '../clock.ts'
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
import { keepRunning, type Running, type RunState } from '@hearth/command-line/processes/keep-running'
import { RestartPlan } from '@hearth/command-line/processes/restart-plan'
import type { ModelEntry } from '../models/registry/registry.ts'
import type { ModelState } from '../news.ts'
import { CrashRecord, type Blocked } from './crash-record.ts'
import type { LoadQueue } from './load-queue.ts'
import { isSoonBack, MODEL_RESTARTS } from './restart-policy.ts'
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

interface Served extends Running<EngineEnd> {
  engine: ModelEngine
  model: DeviceModel
}

export class ModelSupervisor {
  readonly entry: ModelEntry
  readonly #options: SupervisorOptions
  readonly #plan = new RestartPlan(MODEL_RESTARTS)
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
    while (!this.#end.signal.aborted) await (this.#isWanted ? this.#serve() : this.#beUnloaded())
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

  /** Until `#replace` is aborted. */
  async #serve(): Promise<void> {
    const { clock } = this.#options
    this.#replace = new AbortController()
    await keepRunning<EngineEnd, Served>(
      {
        plan: this.#plan,
        start: (signal) => this.#start(signal),
        onState: (state) => this.#follow(state),
        now: clock.now,
        pause: (ms, signal) => waitOrAbort(clock, ms, signal),
      },
      this.#replace.signal,
    )
    this.#replaced?.resolve()
    this.#replaced = undefined
  }

  async #start(signal: AbortSignal): Promise<Served> {
    const { loads, clock } = this.#options
    if (this.#state.name !== 'restarting') this.#enter({ name: 'loading', sinceMs: clock.now() })
    try {
      return await served(await loads.run(() => this.#load(signal), signal))
    } catch (error) {
      if (error instanceof NoRoomError) {
        this.#isWanted = false
        this.#replace.abort()
      }
      throw error
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

  #follow(state: RunState<EngineEnd, Served>): void {
    this.#engine = state.name === 'running' ? state.started.engine : undefined
    switch (state.name) {
      case 'running':
        return this.#enter({ name: 'serving', model: state.started.model })
      case 'ended':
        this.#note(state.end)
        return this.#crashed(state.end.why, state.pauseMs)
      case 'not-started':
        return this.#enter({ name: 'failed', why: describeError(state.error), retryInMs: state.pauseMs })
      case 'stopping':
        return
      default:
        return state satisfies never
    }
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

  #crashed(why: string, pauseMs: number): void {
    this.#enter(isSoonBack(pauseMs) ? { name: 'restarting', why } : { name: 'failed', why, retryInMs: pauseMs })
  }

  #enter(state: ModelState): void {
    this.#state = state
    this.#options.onState(state)
  }
}

async function served(engine: ModelEngine): Promise<Served> {
  // The engine is given up in any case, and the next one says what doesn't work.
  const stop = (): Promise<void> => engine.stop().catch(() => {})
  const [model] = engine.models()
  if (model !== undefined) return { engine, model, ended: engine.ended, stop }
  await stop()
  throw new Error('the engine loaded no model')
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
