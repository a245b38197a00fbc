// A gateway in the simulated world: a core with its own clock, timers and connections. While it is paused, everything that happens to it
// waits, and then comes all at once.

import type { BusServer } from '../../../bus/bus.ts'
import type { Heartbeat } from '../../peers/heartbeat.ts'
import type { CoreOptions, PeersCore } from '../../peers/core/peers-core.ts'
import type { Answer, Query } from '../../peers/core/queries.ts'
import { TIMING } from '../../peers/core/timing.ts'
import type { Random } from '../random.ts'
import type { VirtualClock } from '../virtual-clock.ts'
import type { Bus, Connection } from './bus.ts'

const QUERY_MS = 1_000
const RECONNECT_MS = 200

interface Surroundings {
  readonly clock: VirtualClock
  readonly random: Random
  readonly bus: Bus
  send(gateway: SimulatedGateway, query: Query, end: (answer: Answer) => void): void
  ended(gateway: SimulatedGateway, answer: Answer): void
}

export interface SimulatedClock {
  offsetMs: number
  /** 1 is exact. */
  speed: number
}

export class SimulatedGateway {
  readonly id: string
  readonly version: string
  readonly core: PeersCore
  readonly #world: Surroundings
  readonly #clock: SimulatedClock
  isCrashed = false
  #isPaused = false
  #waiting: (() => void)[] = []
  #connection: Connection | undefined
  /** Messages that arrived on the connection and were not read yet. */
  #unread: (() => void)[] = []
  #attempt = 0
  #wake = { rank: 0, place: -1, happen: () => this.#live(() => this.#run()) }

  constructor(
    { id, version }: Pick<CoreOptions, 'id' | 'version'>,
    core: PeersCore,
    clock: SimulatedClock,
    world: Surroundings,
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

  get server(): BusServer | undefined {
    return this.#connection?.server
  }

  start(): void {
    this.#live(() => this.#run())
    this.#connect()
    this.#beatLater()
  }

  crash(): void {
    this.isCrashed = true
    if (this.#connection) this.#world.bus.close(this.#connection)
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
    this.#readLater()
  }

  leave(): void {
    this.#live(() => {
      this.core.leave(this.now)
      this.#run()
    })
  }

  hear(connection: Connection, heartbeat: Heartbeat): void {
    this.#unread.push(() => {
      if (connection === this.#connection) this.core.hear(heartbeat, this.now)
      this.#run()
    })
    if (this.#unread.length === 1) this.#read()
  }

  lost(connection: Connection): void {
    this.#live(() => {
      if (connection !== this.#connection) return
      this.#connection = undefined
      this.core.busLost(this.now)
      this.#connectLater()
      this.#run()
    })
  }

  #connectLater(): void {
    this.#world.clock.after(this.#world.random.between(RECONNECT_MS / 2, RECONNECT_MS), () => this.#connect())
  }

  #connect(): void {
    this.#live(() => {
      if (this.core.hasLeft) return
      this.#connection = this.#world.bus.connect(this)
      if (!this.#connection) return this.#connectLater()
      this.core.busConnected(this.#connection.server)
      this.#run()
    })
  }

  /** Messages keep their order, even after a pause. */
  #read(): void {
    while (!this.isCrashed && !this.#isPaused && this.#unread.length > 0) {
      this.#unread[0]!()
      this.#unread.shift()
    }
  }

  #readLater(): void {
    this.#world.clock.after(this.#world.random.between(0, 30), () => this.#read())
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
    if (heartbeat && this.#connection) this.#world.bus.publish(this.#connection, heartbeat)
  }
}
