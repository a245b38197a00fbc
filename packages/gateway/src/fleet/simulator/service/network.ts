// The network between gateways, and between them and the database: it delays, loses, doubles and cuts.

import type { BusServer } from '../../../bus/bus.ts'
import type { Random } from '../random.ts'

export interface Faults {
  /** Of queries. Connections to a server of the bus break instead. */
  loss: number
  doubling: number
  /** How often something takes seconds. */
  slowness: number
  /** How often a server hands on a message to some much later than to others. */
  lateness: number
}

const NO_FAULTS: Faults = { loss: 0, doubling: 0, slowness: 0, lateness: 0 }

export class Network {
  faults = { ...NO_FAULTS }
  /** Gateways that can't reach the database. */
  readonly cutFromDatabase = new Set<string>()
  /** Gateways that can't reach the bus. */
  readonly cutFromBus = new Set<string>()
  /** Pairs of bus servers that can't reach each other, as `one two`. */
  readonly cutRoutes = new Set<string>()
  /** Gateways and bus servers that reach each other, but neither the database nor anybody else. */
  readonly island = new Set<string>()
  isDatabaseDead = false
  /** Queries that reach a stopped database take effect when it continues. */
  isDatabaseStopped = false
  readonly #random: Random
  readonly #slowMs: readonly [least: number, most: number]

  constructor(random: Random, slowMs: readonly [number, number]) {
    this.#random = random
    this.#slowMs = slowMs
  }

  delayMs(perSlowness = 1): number {
    if (this.#random.chance(this.faults.slowness * perSlowness)) return this.#random.between(...this.#slowMs)
    return this.#random.between(1, 20)
  }

  reachesDatabase(id: string): boolean {
    return !this.isDatabaseDead && !this.cutFromDatabase.has(id) && !this.island.has(id) && !this.isLost()
  }

  reaches(gateway: string, { id }: BusServer): boolean {
    return !this.cutFromBus.has(gateway) && this.island.has(gateway) === this.island.has(id)
  }

  isRouteCut(one: BusServer, two: BusServer): boolean {
    return this.cutRoutes.has(`${one.id} ${two.id}`) || this.island.has(one.id) !== this.island.has(two.id)
  }

  isLost(): boolean {
    return this.#random.chance(this.faults.loss)
  }

  cutRoute(one: BusServer, two: BusServer): void {
    this.cutRoutes.add(`${one.id} ${two.id}`)
    this.cutRoutes.add(`${two.id} ${one.id}`)
  }

  heal(): void {
    this.faults = { ...NO_FAULTS }
    this.cutFromDatabase.clear()
    this.cutFromBus.clear()
    this.cutRoutes.clear()
    this.island.clear()
    this.isDatabaseDead = false
    this.isDatabaseStopped = false
  }
}
