// Gateways that share a database and a bus, on one virtual clock. Who they are differs: whole gateways, or only what agrees on who schedules what.

import type { BusServer } from '../../../bus/bus.ts'
import type { Ms } from '../../terms/job.ts'
import type { Process } from './process.ts'
import { Servers } from './servers.ts'
import { Database } from './database.ts'
import { Network } from './network.ts'
import type { Random } from '../random.ts'
import { VirtualClock } from '../virtual-clock.ts'

export interface Member {
  readonly name: string
  readonly process: Process
  /** Undefined for a lone gateway. */
  readonly bus: { readonly server: BusServer | undefined; close(): Promise<void> } | undefined
  readonly isLeaving: boolean
}

export interface ServiceOptions {
  random: Random
  /** Perhaps a broken one. */
  database: Database | undefined
  /** How many servers the bus has. */
  servers: number
  hasNamedServers: boolean
  /** What takes long takes so long. */
  slowMs: readonly [least: Ms, most: Ms]
}

const STOPPED_MS = 100
const GOODBYE_MS = 200

export abstract class Service<One extends Member, Payload> {
  readonly clock = new VirtualClock()
  readonly random: Random
  readonly network: Network
  readonly servers: Servers<Payload>
  readonly database: Database
  /** Those that are not dead. */
  readonly alive: One[] = []
  /** From then on nothing goes wrong. */
  calmAt: Ms | undefined
  /** When the last query from before that took effect. */
  lastLateAt: Ms = 0
  /** For the report of a broken promise. */
  readonly steps: string[] = []
  hash = 0x811c9dc5
  #started = 0

  constructor({ random, database, servers, hasNamedServers, slowMs }: ServiceOptions) {
    this.random = random
    this.network = new Network(random, slowMs)
    this.servers = new Servers(this, servers, hasNamedServers)
    this.database = database ?? new Database()
  }

  /** Unless there are too many. */
  abstract startGateway(): void

  abstract leave(gateway: One): void

  get isCalm(): boolean {
    return this.calmAt !== undefined
  }

  /** Unless all is calm by then. */
  later(ms: Ms, act: () => void): void {
    this.clock.after(ms, () => {
      if (!this.isCalm) act()
    })
  }

  nextName(): string {
    const name = `gateway-${(this.#started += 1)}`
    this.say(`${name} starts`)
    return name
  }

  kill(gateway: One): void {
    gateway.process.isDead = true
    void gateway.bus?.close()
    this.alive.splice(this.alive.indexOf(gateway), 1)
  }

  /** It has said goodbye, and its connection ends once that is on its way. */
  left(gateway: One): void {
    this.clock.after(GOODBYE_MS, () => {
      if (!gateway.process.isDead) this.kill(gateway)
    })
  }

  /** All gateways, the bus and the database die at once, and come back after this time. */
  loseEverything(ms: Ms): void {
    const killed = this.alive.slice()
    for (const gateway of killed) this.kill(gateway)
    this.network.isDatabaseDead = true
    this.servers.die()
    this.clock.after(ms, () => {
      this.network.isDatabaseDead = false
      this.servers.revive()
      for (let count = killed.length; count > 0; count--) this.startGateway()
    })
  }

  /** The answer comes late, or never; it is undefined if the database can't be reached. A query may take effect without an answer. */
  query<Result>(
    { name, process }: Pick<One, 'name' | 'process'>,
    execute: () => Result,
    end: (answer: Result | undefined) => void,
  ): void {
    const { clock, network } = this
    const sentAt = clock.now
    const answer = (result: Result | undefined) => clock.after(network.delayMs(), () => process.live(() => end(result)))
    const run = () => {
      if (network.isDatabaseStopped) return clock.after(STOPPED_MS, run)
      const result = execute()
      if (network.reachesDatabase(name)) answer(result)
    }
    clock.after(network.delayMs(), () => {
      if (this.isCalm && sentAt < this.calmAt!) this.lastLateAt = clock.now
      if (network.reachesDatabase(name)) run()
      else answer(undefined)
    })
  }

  say(what: string): void {
    this.steps.push(`${(this.clock.now / 1_000).toFixed(3).padStart(8)} s  ${what}`)
    for (let index = 0; index < what.length; index++) this.mix(what.charCodeAt(index))
  }

  mix(value: number): void {
    this.hash = Math.imul(this.hash ^ value, 0x01000193) >>> 0
  }
}
