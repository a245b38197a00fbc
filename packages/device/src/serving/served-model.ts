// One model of this machine and the engine that runs it: loads it, loads it again when that failed or the engine gave up, and lets it go.

import type { Clock } from '../clock.ts'
import type { Engine, EngineChange } from '../engines/engine.ts'
import { describeError } from '../errors.ts'
import type { ModelEntry } from '../models/registry.ts'
import type { ModelState } from '../news.ts'

export interface ServedModelOptions {
  entry: ModelEntry
  /** Throws when the file cannot be served. */
  createEngine: (entry: ModelEntry) => Engine
  clock: Clock
  onState: (state: ModelState) => void
}

/** A file may come back, memory may become free: failed models are tried again, with growing patience. */
const RETRY_MS = [5_000, 15_000, 60_000, 300_000]

export class ServedModel {
  readonly entry: ModelEntry
  readonly #options: ServedModelOptions
  readonly #end = new AbortController()
  readonly #ended: Promise<void>
  #state: ModelState
  #engine: Engine | undefined
  /** Ends the life of the present engine; the next one follows. */
  #replace = new AbortController()
  #replaced: PromiseWithResolvers<void> | undefined

  constructor(options: ServedModelOptions) {
    this.#options = options
    this.entry = options.entry
    this.#state = { name: 'loading', sinceMs: options.clock.now() }
    this.#ended = this.#live()
  }

  get state(): ModelState {
    return this.#state
  }

  get engine(): Engine | undefined {
    return this.#engine
  }

  /** Resolves when the present engine is gone, with all its jobs. */
  restart(): Promise<void> {
    this.#replaced ??= Promise.withResolvers()
    const { promise } = this.#replaced
    this.#replace.abort()
    return promise
  }

  async stop(): Promise<void> {
    this.#end.abort()
    this.#replace.abort()
    await this.#ended
  }

  async #live(): Promise<void> {
    // Not before the owner of this object can answer to changes of its state.
    await Promise.resolve()
    for (let failures = 0; !this.#end.signal.aborted;) {
      this.#replace = new AbortController()
      const startedAt = this.#options.clock.now()
      const why = await this.#liveOnce()
      this.#settleRestart()
      if (why === undefined) continue
      failures = this.#options.clock.now() - startedAt > RETRY_MS.at(-1)! ? 1 : failures + 1
      const retryInMs = RETRY_MS[Math.min(failures, RETRY_MS.length) - 1]!
      this.#enter({ name: 'failed', why, retryInMs })
      await this.#options.clock.wait(retryInMs, this.#replace.signal).catch(() => {})
      this.#settleRestart()
    }
    this.#enter({ name: 'stopped' })
  }

  #settleRestart(): void {
    this.#replaced?.resolve()
    this.#replaced = undefined
  }

  /** From loading to the end of one engine. Gives why it failed; nothing when it was ended from here. */
  async #liveOnce(): Promise<string | undefined> {
    const signal = this.#replace.signal
    this.#enter({ name: 'loading', sinceMs: this.#options.clock.now() })
    const gaveUp = Promise.withResolvers<string | undefined>()
    signal.addEventListener('abort', () => gaveUp.resolve(undefined), { once: true })
    let engine: Engine | undefined
    try {
      engine = this.#options.createEngine(this.entry)
      engine.onChange((change) => this.#change(change, gaveUp.resolve))
      this.#engine = engine
      await engine.start(signal)
      this.#showModels()
      return await gaveUp.promise
    } catch (error) {
      return signal.aborted ? undefined : describeError(error)
    } finally {
      this.#engine = undefined
      await engine?.stop().catch(() => {})
    }
  }

  #change(change: EngineChange, giveUp: (why: string) => void): void {
    if (change.type === 'engine-gave-up') giveUp(change.message)
    else if (change.type === 'engine-crashed') this.#enter({ name: 'restarting', why: change.message })
    else if (this.#state.name !== 'loading') this.#showModels()
  }

  #showModels(): void {
    const model = this.#engine?.models().find(({ name }) => name === this.entry.name)
    if (model !== undefined) this.#enter({ name: 'serving', model })
    else if (this.#state.name === 'serving' || this.#state.name === 'loading')
      this.#enter({ name: 'restarting', why: 'the engine does not serve it at the moment' })
  }

  #enter(state: ModelState): void {
    this.#state = state
    this.#options.onState(state)
  }
}
