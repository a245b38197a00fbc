// What agrees with its peers in a gateway: a core with its own clock, timers and connections. After a pause, everything that waited comes in any
// order.

import type { BusServer } from '../../../bus/bus.ts'
import type { Heartbeat } from '../../peers/heartbeat.ts'
import type { CoreOptions, PeersCore } from '../../peers/core/peers-core.ts'
import type { Answer, Query } from '../../peers/core/queries.ts'
import { TIMING } from '../../peers/core/timing.ts'
import type { Process } from '../actors/process.ts'
import type { Random } from '../random.ts'
import type { VirtualClock } from '../virtual-clock.ts'
import type { Bus, Connection } from './bus.ts'

const QUERY_MS = 1_000
const RECONNECT_MS = 200

interface Surroundings {
  readonly clock: VirtualClock
  readonly random: Random
  readonly bus: Bus
  send(gateway: SimulatedCore, query: Query, end: (answer: Answer) => void): void
  ended(gateway: SimulatedCore, answer: Answer): void
}

export class SimulatedCore {
  readonly id: string
  readonly version: string
  readonly core: PeersCore
  readonly process: Process
  readonly #world: Surroundings
  #connection: Connection | undefined
  /** Messages that arrived on the connection and were not read yet. */
  #unread: (() => void)[] = []
  #attempt = 0
  #wake = { rank: 0, place: -1, happen: () => this.process.live(() => this.#run()) }

  constructor(
    { id, version }: Pick<CoreOptions, 'id' | 'version'>,
    core: PeersCore,
    process: Process,
    world: Surroundings,
  ) {
    this.id = id
    this.version = version
    this.core = core
    this.process = process
    this.#world = world
  }

  get now(): number {
    return this.process.clock.now()
  }

  get server(): BusServer | undefined {
    return this.#connection?.server
  }

  start(): void {
    this.process.live(() => this.#run())
    this.#connect()
    this.#beatLater()
  }

  crash(): void {
    this.process.isDead = true
    if (this.#connection) this.#world.bus.close(this.#connection)
  }

  goOn(): void {
    const { clock, random } = this.#world
    // Timers and messages that came in the meantime are handled in an order that nobody can foresee.
    this.process.goOn((held) => {
      for (const happen of random.shuffled(held)) clock.after(random.between(0, 30), () => this.process.live(happen))
    })
    this.#readLater()
  }

  leave(): void {
    this.process.live(() => {
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
    this.process.live(() => {
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
    this.process.live(() => {
      if (this.core.hasLeft) return
      this.#connection = this.#world.bus.connect(this)
      if (!this.#connection) return this.#connectLater()
      this.core.busConnected(this.#connection.server)
      this.#run()
    })
  }

  /** Messages keep their order, even after a pause. */
  #read(): void {
    while (!this.process.isDead && !this.process.isStopped && this.#unread.length > 0) {
      this.#unread[0]!()
      this.#unread.shift()
    }
  }

  #readLater(): void {
    this.#world.clock.after(this.#world.random.between(0, 30), () => this.#read())
  }

  /** Does what is due, and sets the timer for the rest. */
  #run(): void {
    if (this.core.hasNews) this.#beat()
    const { dueAt } = this.core
    if (dueAt === undefined) return
    if (dueAt <= this.now) this.#send(this.core.begin(this.now))
    else this.#world.clock.schedule(this.#wake, (dueAt - this.now) / this.process.speed + 0.01)
  }

  #send(query: Query): void {
    const attempt = ++this.#attempt
    const end = (answer: Answer) =>
      this.process.live(() => {
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
    this.#world.clock.after(TIMING.renewMs / this.process.speed, () => {
      if (this.process.isDead || this.core.hasLeft) return
      this.process.live(() => this.#beat())
      this.#beatLater()
    })
  }

  #beat(): void {
    const heartbeat = this.core.heartbeat(this.now)
    if (heartbeat && this.#connection) this.#world.bus.publish(this.#connection, heartbeat)
  }
}
