// A room that notes how long it took to make it: that time is no part of loading.

import type { Clock } from '../clock.ts'
import type { Room } from '../engines/engine.ts'

export class TimedRoom implements Room {
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
