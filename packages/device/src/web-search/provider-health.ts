// Tracks whether the search provider works. It is checked before web search is announced. After several failures in a row, web search is
// withdrawn and the provider is checked again at intervals until it works.

import type { Clock } from '../clock.ts'
import type { SearchProvider } from './search-provider.ts'

/** A harmless query of our own, never a user's. */
const CHECK = { text: 'weather', count: 1 }
const FAILURES_ALLOWED = 2
const CHECK_AGAIN_MS = [60_000, 120_000, 300_000, 600_000]

export interface HealthOptions {
  provider: SearchProvider
  clock: Clock
  onChange: () => void
  /** For the owner's log. */
  onProblem: (text: string) => void
}

export class ProviderHealth {
  readonly #options: HealthOptions
  readonly #end = new AbortController()
  #isWorking = false
  #failures = 0
  #checks = 0
  #disarm: (() => void) | undefined

  constructor(options: HealthOptions) {
    this.#options = options
  }

  get isWorking(): boolean {
    return this.#isWorking
  }

  async check(): Promise<void> {
    try {
      await this.#options.provider.search(CHECK, this.#end.signal)
      this.#checks = 0
      this.succeeded()
      this.#set(true)
    } catch (error) {
      if (this.#end.signal.aborted) return
      this.#withdraw(error)
    }
  }

  succeeded(): void {
    this.#failures = 0
  }

  /** Call when a job's search failed. */
  failed(error: unknown): void {
    this.#failures += 1
    if (this.#isWorking && this.#failures > FAILURES_ALLOWED) this.#withdraw(error)
  }

  stop(): void {
    this.#end.abort(new Error('the engine is stopping'))
    this.#disarm?.()
  }

  #withdraw(error: unknown): void {
    const pause = CHECK_AGAIN_MS[this.#checks] ?? Math.max(...CHECK_AGAIN_MS)
    this.#checks += 1
    const why = error instanceof Error ? error.message : 'unknown'
    this.#options.onProblem(`Web search is off for now: ${why} (retrying in ${pause / 60_000} min)`)
    this.#set(false)
    this.#disarm?.()
    this.#disarm = this.#options.clock.after(pause, () => void this.check())
  }

  #set(isWorking: boolean): void {
    if (this.#isWorking === isWorking) return
    this.#isWorking = isWorking
    this.#options.onChange()
  }
}
