// A gateway's own heartbeats to the others on the bus.

import type { Heartbeat } from '../heartbeat.ts'

export class Voice {
  #sequence = 0
  #newest = 0
  #hasNews = false
  #farewell: Heartbeat | undefined

  /** Others should get a heartbeat at once. */
  get hasNews(): boolean {
    return this.#hasNews
  }

  /** The newest generation that this gateway knows to exist. */
  get newest(): number {
    return this.#newest
  }

  get nextSequence(): number {
    return this.#sequence + 1
  }

  noteNews(): void {
    this.#hasNews = true
  }

  learn(generation: number): void {
    if (generation <= this.#newest) return
    this.#newest = generation
    this.#hasNews = true
  }

  speak(heartbeat: Omit<Heartbeat, 'sequence' | 'newest'>): Heartbeat {
    this.#hasNews = false
    this.#sequence += 1
    return { ...heartbeat, sequence: this.#sequence, newest: this.#newest }
  }

  /** Tells others at once that this gateway has left. */
  leave(farewell: Heartbeat | undefined): void {
    this.#farewell = farewell
    this.#hasNews = true
  }

  /** The last words of a gateway that has left, once. */
  takeFarewell(): Heartbeat | undefined {
    const farewell = this.#farewell
    this.#farewell = undefined
    this.#hasNews = false
    return farewell
  }
}
