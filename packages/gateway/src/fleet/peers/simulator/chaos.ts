// Random faults: gateways come, leave, die and pause; the network and the database fail in parts or as a whole.

import type { SimulatedGateway } from './simulated-gateway.ts'
import type { World } from './world.ts'

const MOST_GATEWAYS = 7
const VERSION = '1'

export class Chaos {
  readonly #world: World
  readonly #faults: readonly (() => void)[]
  #isCalm = false

  constructor(world: World) {
    this.#world = world
    const { random, network } = world
    this.#faults = [
      () => this.#start(),
      () => this.#start(),
      () => this.#onSome((gateway) => world.crash(gateway)),
      () => this.#onSome((gateway) => gateway.leave()),
      () => this.#onSome((gateway) => this.#pause(gateway)),
      () => this.#onSome(({ id }) => this.#for(network.cutFromDatabase, id)),
      () => this.#cutManyFromDatabase(),
      () => this.#onSome(({ id }) => this.#for(network.cutFromBus, id)),
      () => this.#onSome(({ id }) => this.#for(network.cutFromBus, id)),
      () => this.#cutAllFromBus(),
      () => this.#partition(),
      () => this.#isolate(),
      () => this.#stopDatabase('isDatabaseDead'),
      () => this.#stopDatabase('isDatabaseStopped'),
      () => {
        network.faults = {
          loss: random.pick([0, 0, 0.02, 0.3]),
          doubling: random.pick([0, 0.1]),
          slowness: random.pick([0, 0, 0.02, 0.2]),
        }
      },
    ]
    const count = random.between(2, MOST_GATEWAYS)
    for (let index = 0; index < count; index++) world.startGateway(VERSION)
    this.#later()
  }

  /** Ends all faults. */
  calm(): void {
    this.#isCalm = true
    this.#world.calmAt = this.#world.clock.now
    this.#world.network.heal()
    for (const gateway of this.#world.gateways) if (gateway.isPaused) gateway.goOn()
  }

  #later(): void {
    const { clock, random } = this.#world
    clock.after(random.pick([50, 300, 1_000, 4_000, 9_000]), () => {
      if (this.#isCalm) return
      random.pick(this.#faults)()
      this.#later()
    })
  }

  #start(): void {
    const { alive, random } = this.#world
    if (alive.length < MOST_GATEWAYS) this.#world.startGateway(random.chance(0.05) ? '2' : VERSION)
  }

  #onSome(happen: (gateway: SimulatedGateway) => void): void {
    const { alive, random } = this.#world
    if (alive.length > 1) happen(random.pick(alive))
  }

  #pause(gateway: SimulatedGateway): void {
    gateway.pause()
    this.#after(() => gateway.goOn())
  }

  #for<Item>(set: Set<Item>, item: Item): void {
    set.add(item)
    this.#after(() => set.delete(item))
  }

  #cutManyFromDatabase(): void {
    for (const { id } of this.#world.random.some(this.#world.alive, 0.7))
      this.#for(this.#world.network.cutFromDatabase, id)
  }

  #cutAllFromBus(): void {
    for (const { id } of this.#world.alive) this.#for(this.#world.network.cutFromBus, id)
  }

  /** Two sides that don't hear each other. */
  #partition(): void {
    const { alive, network, random } = this.#world
    const side = new Set(random.some(alive, 0.5))
    for (const one of side) for (const two of alive) if (!side.has(two)) network.cutPair(one.id, two.id)
    this.#after(() => network.cutPairs.clear())
  }

  /** Most gateways end up on an island, and new ones start elsewhere. */
  #isolate(): void {
    const { alive, network, random } = this.#world
    for (const { id } of random.some(alive, random.pick([0.6, 1]))) network.island.add(id)
    for (let count = random.between(0, 2); count > 0; count--) this.#start()
    this.#after(() => network.island.clear())
  }

  #stopDatabase(how: 'isDatabaseDead' | 'isDatabaseStopped'): void {
    this.#world.network[how] = true
    this.#after(() => {
      this.#world.network[how] = false
    })
  }

  #after(happen: () => void): void {
    const { clock, random } = this.#world
    clock.after(random.pick([200, 1_500, 3_500, 8_000, 30_000]), () => {
      if (!this.#isCalm) happen()
    })
  }
}
