// What lies between gateways, and between them and the database: it delays, loses, doubles and cuts.

import type { Random } from '../../simulator/random.ts'

export interface Faults {
  /** Of messages and queries. */
  loss: number
  doubling: number
  /** How often a message takes seconds. */
  slowness: number
}

const CALM: Faults = { loss: 0, doubling: 0, slowness: 0 }

export class Network {
  faults: Faults = CALM
  /** Gateways that can't reach the database. */
  readonly cutFromDatabase = new Set<string>()
  /** Pairs of gateways that can't hear each other, as `one two`. */
  readonly cutPairs = new Set<string>()
  /** Gateways that hear nobody on the bus, not even themselves. */
  readonly cutFromBus = new Set<string>()
  /** Gateways that reach each other, but neither the database nor anybody else. */
  readonly island = new Set<string>()
  isDatabaseDead = false
  /** Queries that reach a stopped database take effect when it goes on. */
  isDatabaseStopped = false
  readonly #random: Random

  constructor(random: Random) {
    this.#random = random
  }

  delayMs(): number {
    if (this.#random.chance(this.faults.slowness)) return this.#random.between(500, 6_000)
    return this.#random.between(1, 20)
  }

  reachesDatabase(id: string): boolean {
    return !this.isDatabaseDead && !this.cutFromDatabase.has(id) && !this.island.has(id) && !this.isLost()
  }

  /** How often a heartbeat arrives. */
  copies(from: string, to: string): number {
    const isCut = this.cutPairs.has(`${from} ${to}`) || this.island.has(from) !== this.island.has(to)
    if (isCut || this.cutFromBus.has(from) || this.cutFromBus.has(to) || this.isLost()) return 0
    return this.#random.chance(this.faults.doubling) ? 2 : 1
  }

  isLost(): boolean {
    return this.#random.chance(this.faults.loss)
  }

  cutPair(one: string, two: string): void {
    this.cutPairs.add(`${one} ${two}`)
    this.cutPairs.add(`${two} ${one}`)
  }

  heal(): void {
    this.faults = CALM
    this.cutFromDatabase.clear()
    this.cutFromBus.clear()
    this.cutPairs.clear()
    this.island.clear()
    this.isDatabaseDead = false
    this.isDatabaseStopped = false
  }
}
