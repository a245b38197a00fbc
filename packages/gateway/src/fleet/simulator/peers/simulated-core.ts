// What agrees with its peers in a gateway: a core with the clock of its process and a connection to the bus.

import { HEARTBEATS, type Heartbeat } from '../../peers/heartbeat.ts'
import type { PeersCore } from '../../peers/core/peers-core.ts'
import type { QueryResult, Query } from '../../peers/core/queries.ts'
import { TIMING } from '../../peers/core/timing.ts'
import type { Process } from '../service/process.ts'
import type { BusClient } from '../service/bus-client.ts'
import type { Database } from '../service/database.ts'
import type { Member, Service } from '../service/service.ts'

const QUERY_MS = 1_000

interface Surroundings extends Pick<Service<Member, Heartbeat>, 'query'> {
  readonly database: Database
  answered(answer: QueryResult): void
  left(gateway: SimulatedCore): void
}

export class SimulatedCore implements Member {
  readonly name: string
  readonly version: string
  readonly core: PeersCore
  readonly process: Process
  readonly bus: BusClient<Heartbeat>
  isLeaving = false
  readonly #world: Surroundings
  #attempt = 0
  #cancelDue = () => {}

  constructor(
    { name, version }: { name: string; version: string },
    core: PeersCore,
    process: Process,
    bus: BusClient<Heartbeat>,
    world: Surroundings,
  ) {
    this.name = name
    this.version = version
    this.core = core
    this.process = process
    this.bus = bus
    this.#world = world
    bus.subscribe(HEARTBEATS, (heartbeat) => {
      core.hear(heartbeat, this.now)
      this.#run()
    })
    bus.onState(() => this.#busChanged())
    this.#busChanged()
    this.#beatLater()
  }

  get now(): number {
    return this.process.clock.now()
  }

  maySchedule(organization: string): boolean {
    return this.core.maySchedule(organization, this.now)
  }

  leave(): void {
    this.process.live(() => {
      this.isLeaving = true
      this.core.leave(this.now)
      this.#run()
    })
  }

  #busChanged(): void {
    if (this.bus.server) this.core.busConnected(this.bus.server)
    else this.core.busLost(this.now)
    this.#run()
  }

  /** Does what is due, and sets the timer for the rest. */
  #run(): void {
    if (this.core.hasNews) this.#beat()
    if (this.core.hasLeft) this.#world.left(this)
    const { dueAt } = this.core
    this.#cancelDue()
    if (dueAt === undefined) return
    if (dueAt <= this.now) this.#send(this.core.begin(this.now))
    else this.#cancelDue = this.process.clock.after(dueAt - this.now + 0.01, () => this.#run())
  }

  #send(query: Query): void {
    const attempt = ++this.#attempt
    const end = (answer: QueryResult = { name: 'failed' }) => {
      if (attempt !== this.#attempt) return
      this.#attempt += 1
      this.core.ended(answer, this.now)
      this.#world.answered(answer)
      this.#run()
    }
    this.#world.query(this, () => this.#world.database.run(query), end)
    this.process.clock.after(QUERY_MS, () => end())
  }

  #beatLater(): void {
    this.process.clock.after(TIMING.renewMs, () => {
      if (this.core.hasLeft) return
      this.#beat()
      this.#beatLater()
    })
  }

  #beat(): void {
    const heartbeat = this.core.heartbeat(this.now)
    if (heartbeat) this.bus.publish(HEARTBEATS, heartbeat)
  }
}
