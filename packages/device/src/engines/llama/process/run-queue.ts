// The events of one job between the engine's process and their reader. If the reader is slow, the engine pauses; events that are already on
// their way are kept.

import type { ChatEvent } from '@hearth/protocol'
import { unlessAborted } from '../../../clock.ts'
import type { EngineError } from '../../engine.ts'

/** The numbers of waiting events at which the engine pauses and resumes. */
const PAUSE_AT = 64
const RESUME_AT = 16

export class RunQueue {
  readonly #setPaused: (isPaused: boolean) => void
  readonly #events: ChatEvent[] = []
  readonly #ended = Promise.withResolvers<void>()
  #wake: (() => void) | undefined
  #isPaused = false
  #isEnded = false
  #error: EngineError | undefined

  constructor(setPaused: (isPaused: boolean) => void) {
    this.#setPaused = setPaused
  }

  /** Resolves when the job no longer occupies a slot. */
  get ended(): Promise<void> {
    return this.#ended.promise
  }

  get isEnded(): boolean {
    return this.#isEnded
  }

  push(event: ChatEvent): void {
    this.#events.push(event)
    if (this.#events.length >= PAUSE_AT) this.#pause(true)
    this.#wake?.()
  }

  end(error?: EngineError): void {
    if (this.#isEnded) return
    this.#isEnded = true
    this.#error = error
    this.#ended.resolve()
    this.#wake?.()
  }

  /** The next event; undefined after the last. Throws the job's error after all events before it were read. */
  async next(signal: AbortSignal): Promise<ChatEvent | undefined> {
    while (this.#events.length === 0 && !this.#isEnded) await this.#changed(signal)
    signal.throwIfAborted()
    if (this.#events.length <= RESUME_AT) this.#pause(false)
    const event = this.#events.shift()
    if (event === undefined && this.#error !== undefined) throw this.#error
    return event
  }

  async #changed(signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#wake = resolve
    await unlessAborted(promise, signal)
    this.#wake = undefined
  }

  #pause(isPaused: boolean): void {
    if (this.#isPaused === isPaused || this.#isEnded) return
    this.#isPaused = isPaused
    this.#setPaused(isPaused)
  }
}
