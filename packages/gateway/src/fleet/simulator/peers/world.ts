// Several gateways, a database and a bus on one virtual clock.

import { createParts, type CoreOptions, type PeersCore } from '../../peers/core/peers-core.ts'
import type { Answer, Query } from '../../peers/core/queries.ts'
import { TIMING, type Timing } from '../../peers/core/timing.ts'
import { Bus } from './bus.ts'
import { Database } from './database.ts'
import { Network } from './network.ts'
import { SimulatedGateway } from './simulated-gateway.ts'
import { VirtualClock } from '../virtual-clock.ts'
import type { Random } from '../random.ts'

export type CreateCore = (options: CoreOptions) => PeersCore

/** Short, so that worlds reach it often. */
export const WORLD_TIMING: Timing = { ...TIMING, graceMs: 15_000 }

const RETRY_DATABASE_MS = 100

export class World {
  readonly clock = new VirtualClock()
  readonly random: Random
  readonly network: Network
  readonly bus: Bus
  readonly database: Database
  readonly gateways = new Set<SimulatedGateway>()
  /** How often each answer was met. */
  readonly answers = new Map<string, number>()
  /** When all faults have ended. */
  calmAt = 0
  /** When the last query from before that took effect. */
  lastLateAt = 0
  readonly #createCore: CreateCore
  #started = 0

  constructor(random: Random, createCore: CreateCore, database: Database) {
    this.random = random
    this.network = new Network(random)
    this.bus = new Bus(this, random.pick([1, 1, 1, 2, 3]), random.chance(0.6))
    this.#createCore = createCore
    this.database = database
  }

  get isCalm(): boolean {
    return this.calmAt > 0
  }

  get alive(): SimulatedGateway[] {
    return [...this.gateways].filter(({ isCrashed, core }) => !isCrashed && !core.hasLeft)
  }

  startGateway(version: string): void {
    const id = `gateway-${++this.#started}`
    const core = this.#createCore({ id, version, timing: WORLD_TIMING, parts: createParts(id, WORLD_TIMING) })
    // Clocks that differ by a minute and more, and run at slightly different speeds.
    const clock = { offsetMs: this.random.between(0, 100_000), speed: 0.99 + this.random.fraction() / 50 }
    const gateway = new SimulatedGateway({ id, version }, core, clock, this)
    this.gateways.add(gateway)
    gateway.start()
  }

  crash(gateway: SimulatedGateway): void {
    gateway.crash()
    this.gateways.delete(gateway)
  }

  send(gateway: SimulatedGateway, query: Query, end: (answer: Answer) => void): void {
    const { clock, network } = this
    const sentAt = clock.now
    clock.after(network.delayMs(), () => {
      if (sentAt < this.calmAt) this.lastLateAt = clock.now
      if (!network.reachesDatabase(gateway.id)) return clock.after(network.delayMs(), () => end({ name: 'failed' }))
      this.#execute(gateway, query, end)
    })
  }

  ended(gateway: SimulatedGateway, { name }: Answer): void {
    this.answers.set(name, (this.answers.get(name) ?? 0) + 1)
    if (gateway.core.hasLeft) this.gateways.delete(gateway)
  }

  #execute(gateway: SimulatedGateway, query: Query, end: (answer: Answer) => void): void {
    const { clock, network } = this
    if (network.isDatabaseStopped) return clock.after(RETRY_DATABASE_MS, () => this.#execute(gateway, query, end))
    const answer = this.database.run(query)
    if (network.reachesDatabase(gateway.id)) clock.after(network.delayMs(), () => end(answer))
  }
}
