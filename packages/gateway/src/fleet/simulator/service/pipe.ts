// One direction of a connection: everything comes out in the order in which it went in, however long it takes. While the pipe is blocked,
// it waits.

import type { VirtualClock } from '../virtual-clock.ts'

export interface PipeOptions {
  clock: VirtualClock
  delayMs: () => number
  isBlocked: () => boolean
  /** The pipe has been blocked for this long. */
  onBlocked: (ms: number) => void
}

const LOOK_AGAIN_MS = 50

export class Pipe {
  readonly #options: PipeOptions
  #waiting: { at: number; happen: () => void }[] = []
  #lastAt = 0
  #busyUntil = 0
  #blockedAt: number | undefined

  constructor(options: PipeOptions) {
    this.#options = options
  }

  push(happen: () => void): void {
    const { clock, delayMs } = this.#options
    this.#lastAt = Math.max(this.#lastAt, clock.now + delayMs())
    this.#waiting.push({ at: this.#lastAt, happen })
    clock.after(this.#lastAt - clock.now, () => this.#pump())
  }

  /** The end of the pipe takes so long with what came out of it, and takes nothing else in the meantime. */
  hold(ms: number): void {
    const { clock } = this.#options
    this.#busyUntil = clock.now + ms
    clock.after(ms, () => this.#pump())
  }

  close(): void {
    this.#waiting = []
  }

  #pump(): void {
    const { clock } = this.#options
    while (this.#waiting[0] && this.#waiting[0].at <= clock.now && this.#busyUntil <= clock.now) {
      if (this.#options.isBlocked()) return this.#wait()
      this.#blockedAt = undefined
      this.#waiting.shift()?.happen()
    }
  }

  #wait(): void {
    const { clock, onBlocked } = this.#options
    this.#blockedAt ??= clock.now
    clock.after(LOOK_AGAIN_MS, () => this.#pump())
    onBlocked(clock.now - this.#blockedAt)
  }
}
