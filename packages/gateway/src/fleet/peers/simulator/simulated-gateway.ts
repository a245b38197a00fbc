// A gateway in the simulated world: a core with its own clock, timers and connections. While it is paused, everything that happens to it
// waits, and then comes all at once.

import type { Heartbeat } from '../core/heartbeat.ts'
import type { CoreOptions, PeersCore } from '../core/peers-core.ts'
import type { Answer, Query } from '../core/queries.ts'
import { TIMING } from '../core/timing.ts'
import type { World } from './world.ts'

const QUERY_MS = 1_000

export interface SimulatedClock {
  offsetMs: number
  /** 1 is exact. */
  speed: number
}

export class SimulatedGateway {
  readonly id: string
  readonly version: string
  readonly core: PeersCore
  readonly #world: World
  readonly #clock: SimulatedClock
  isCrashed = false
  #isPaused = false
  #waiting: (() => void)[] = []
  #attempt = 0
  #wake = { rank: 0, place: -1, happen: () => this.#live(() => this.#run()) }

  constructor(
    { id, version }: Pick<CoreOptions, 'id' | 'version'>,
    core: PeersCore,
    clock: SimulatedClock,
    world: World,
  ) {
    this.id = id
    this.version = version
    this.core = core
    this.#clock = clock
    this.#world = world
  }

  get now(): number {
    return this.#clock.offsetMs + this.#world.clock.now * this.#clock.speed
  }

  get isPaused(): boolean {
    return this.#isPaused
  }

  start(): void {
    this.#live(() => this.#run())
    this.#beatLater()
  }

  pause(): void {
    this.#isPaused = true
  }

  goOn(): void {
    this.#isPaused = false
    const waiting = this.#waiting
    this.#waiting = []
    // Timers and messages that came in the meantime are handled in an order that nobody can foresee.
    for (const happen of this.#world.random.shuffled(waiting))
      this.#world.clock.after(this.#world.random.between(0, 30), () => this.#live(happen))
  }

  leave(): void {
    this.#live(() => {
      this.core.leave(this.now)
      this.#run()
    })
  }

  hear(heartbeat: Heartbeat): void {
    this.#live(() => {
      this.core.hear(heartbeat, this.now)
      this.#run()
    })
  }

  #live(happen: () => void): void {
    if (this.isCrashed) return
    if (this.#isPaused) this.#waiting.push(happen)
    else happen()
  }

  /** Does what is due, and sets the timer for the rest. */
  #run(): void {
    if (this.core.hasNews) this.#beat()
    const { dueAt } = this.core
    if (dueAt === undefined) return
    if (dueAt <= this.now) this.#send(this.core.begin(this.now))
    else this.#world.clock.schedule(this.#wake, (dueAt - this.now) / this.#clock.speed + 0.01)
  }

  #send(query: Query): void {
    const attempt = ++this.#attempt
    const end = (answer: Answer) =>
      this.#live(() => {
        if (attempt !== this.#attempt) return
        this.#attempt += 1
        this.core.ended(answer, this.now)
        this.#world.ended(this, answer)
        this.#run()
      })
    this.#world.send(this, query, end)
    this.#world.clock.after(QUERY_MS, () => end({ name: 'failed' }))
  }

  #beatLater(): void {
    this.#world.clock.after(TIMING.renewMs / this.#clock.speed, () => {
      if (this.isCrashed || this.core.hasLeft) return
      this.#live(() => this.#beat())
      this.#beatLater()
    })
  }

  #beat(): void {
    const heartbeat = this.core.heartbeat(this.now)
    if (heartbeat) this.#world.publish(this, heartbeat)
  }
}
