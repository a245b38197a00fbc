// A process in the simulated world, with a clock of its own. While it is stopped, everything that happens to it waits and then comes all at
// once; when it is dead, nothing happens any more.

import type { Clock } from '../../../time/clock.ts'
import type { Random } from '../random.ts'
import type { VirtualClock } from '../virtual-clock.ts'

export interface ClockError {
  offsetMs: number
  /** 1 is exact. */
  speed: number
}

const EXACT: ClockError = { offsetMs: 0, speed: 1 }

/** Clocks differ by minutes, and run at slightly different speeds. */
export function someClock(random: Random): ClockError {
  return { offsetMs: random.between(0, 600_000), speed: 0.99 + random.fraction() / 50 }
}

export class Process {
  readonly clock: Clock
  readonly offsetMs: number
  readonly speed: number
  isDead = false
  readonly #world: VirtualClock
  readonly #again: (held: (() => void)[]) => void
  #isStopped = false
  #held: (() => void)[] = []

  /** Without `again`, everything that waited while it was stopped comes in its order. */
  constructor(world: VirtualClock, { offsetMs, speed } = EXACT, again?: (held: (() => void)[]) => void) {
    this.#world = world
    this.#again = again ?? ((held) => held.forEach((act) => this.live(act)))
    this.offsetMs = offsetMs
    this.speed = speed
    this.clock = { now: () => offsetMs + world.now * speed, after: (ms, act) => this.#after(ms, act) }
  }

  get isStopped(): boolean {
    return this.#isStopped
  }

  /** Runs it now, or once the process continues; never if it is dead. */
  live(act: () => void): void {
    if (this.isDead) return
    if (this.#isStopped) this.#held.push(act)
    else act()
  }

  stop(): void {
    this.#isStopped = true
  }

  goOn(): void {
    this.#isStopped = false
    this.#again(this.#held.splice(0))
  }

  #after(ms: number, act: () => void): () => void {
    let isOff = false
    const run = () => (isOff ? undefined : act())
    const happening = { rank: 0, position: -1, happen: () => this.live(run) }
    this.#world.schedule(happening, Math.max(0, ms) / this.speed)
    return () => {
      isOff = true
      this.#world.cancel(happening)
    }
  }
}
