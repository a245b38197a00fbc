// Random faults: gateways come, leave, die and pause; the network and the database fail in parts or as a whole.

import type { BusServer } from '../../../bus/bus.ts'
import type { SimulatedCore } from './simulated-core.ts'
import type { Cores } from './cores.ts'

/** In a world with few gateways, more happens to each of them. */
const FEW_GATEWAYS = 3
const VERSION = '1'

export class Chaos {
  readonly #world: Cores
  readonly #faults: readonly (() => void)[]
  readonly #most: number

  constructor(world: Cores, most: number, isSmall: boolean) {
    this.#world = world
    this.#most = isSmall ? FEW_GATEWAYS : most
    this.#faults = isSmall ? this.#listLosses() : this.#listFaults()
    const count = isSmall || world.random.chance(0.5) ? world.random.between(2, this.#most) : 2
    for (let index = 0; index < count; index++) world.startGateway(VERSION)
    this.#later()
  }

  /** Of everything at once. */
  #listLosses(): (() => void)[] {
    const { random, bus } = this.#world
    return [
      () => this.#isolate(),
      () => this.#isolate(),
      () => this.#restart(random.pick(bus.servers)),
      () => this.#loseAll(),
      () => this.#abandon(),
      () => this.#abandon(),
      () => this.#abandon(),
      () => this.#onSome((gateway) => this.#pause(gateway)),
      () => this.#changeFaults(),
    ]
  }

  #listFaults(): (() => void)[] {
    const { bus, network, random } = this.#world
    return [
      () => this.#start(),
      () => this.#start(),
      () => this.#isolate(),
      () => this.#restart(random.pick(bus.servers)),
      () => this.#loseAll(),
      () => this.#onSome((gateway) => this.#pause(gateway)),
      () => this.#changeFaults(),
      () => this.#onSome((gateway) => this.#world.crash(gateway)),
      () => this.#onSome((gateway) => gateway.leave()),
      () => this.#onSome(({ id }) => this.#for(network.cutFromDatabase, id)),
      () => this.#cutManyFromDatabase(),
      () => this.#onSome(({ id }) => this.#for(network.cutFromBus, id)),
      () => this.#onSome(({ id }) => this.#for(network.cutFromBus, id)),
      () => this.#cutAllFromBus(),
      () => this.#cutCluster(),
      () => this.#stopDatabase('isDatabaseDead'),
      () => this.#stopDatabase('isDatabaseStopped'),
    ]
  }

  /** Ends all faults. */
  calm(): void {
    this.#world.calmAt = this.#world.clock.now
    this.#rejoin()
    this.#world.network.heal()
    for (const gateway of this.#world.gateways) if (gateway.process.isStopped) gateway.goOn()
  }

  #changeFaults(): void {
    const { network, random } = this.#world
    network.faults = {
      loss: random.pick([0, 0, 0.02, 0.3]),
      doubling: random.pick([0, 0.1]),
      slowness: random.pick([0, 0, 0.02, 0.2]),
    }
  }

  #later(): void {
    const { clock, random } = this.#world
    clock.after(random.pick([50, 300, 1_000, 4_000, 9_000]), () => {
      if (this.#world.isCalm) return
      random.pick(this.#faults)()
      this.#later()
    })
  }

  #start(): void {
    const { alive, random } = this.#world
    if (alive.length < this.#most + 2) this.#world.startGateway(random.chance(0.05) ? '2' : VERSION)
  }

  #onSome(happen: (gateway: SimulatedCore) => void): void {
    const { alive, random } = this.#world
    if (alive.length > 1) happen(random.pick(alive))
  }

  #pause(gateway: SimulatedCore): void {
    gateway.process.stop()
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

  /** Servers of the bus that don't reach each other. */
  #cutCluster(): void {
    const { bus, network, random } = this.#world
    const side = new Set(random.some(bus.servers, 0.5))
    for (const one of side) for (const two of bus.servers) if (!side.has(two)) network.cutRoute(one, two)
    this.#after(() => network.cutRoutes.clear())
  }

  /** Most gateways end up on an island, often with their server of the bus, and new ones start elsewhere. */
  #isolate(): void {
    const { alive, bus, network, random } = this.#world
    if (network.island.size > 0) return
    const server = random.pick(bus.servers)
    const here = random.chance(0.5) ? alive.filter((gateway) => gateway.server === server) : alive
    for (const { id } of random.some(here, random.pick([0.6, 1]))) network.island.add(id)
    if (random.chance(0.7)) network.island.add(server.id)
    // An operator who gives servers no names may start another one, without knowing whether the old one is dead.
    const isReplaced = server.name === undefined && bus.servers.length === 1 && network.island.has(server.id)
    if (isReplaced) bus.start()
    for (let count = random.between(0, 3); count > 0; count--) this.#start()
    this.#after(() => this.#rejoin())
  }

  #rejoin(): void {
    const { bus, network } = this.#world
    // One that was replaced is found and stopped.
    const [first, second] = bus.servers
    if (first && second && second.name === undefined && network.island.has(first.id)) bus.kill(first)
    network.island.clear()
  }

  #restart(server: BusServer): void {
    if (!this.#world.network.island.has(server.id)) this.#world.bus.restart(server)
  }

  /** All gateways are killed, often the bus and the database too, and new ones start. */
  #loseAll(): void {
    const { bus, gateways, random } = this.#world
    for (const gateway of gateways) this.#world.crash(gateway)
    if (random.chance(0.5)) for (const server of bus.servers) this.#restart(server)
    if (random.chance(0.5)) this.#stopDatabase('isDatabaseDead')
    for (let count = random.between(1, 4); count > 0; count--) this.#start()
  }

  /** All gateways lose the database, and new ones that reach it start beside them. */
  #abandon(): void {
    const { alive, bus, clock, network, random } = this.#world
    const ids = alive.map(({ id }) => id)
    if (random.chance(0.5)) this.#restart(random.pick(bus.servers))
    clock.after(random.pick([0, 1_000, 2_000, 4_000]), () => {
      if (this.#world.isCalm) return
      for (const id of ids) network.cutFromDatabase.add(id)
      for (let count = random.between(1, 2); count > 0; count--) this.#start()
      this.#after(() => ids.forEach((id) => network.cutFromDatabase.delete(id)))
    })
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
      if (!this.#world.isCalm) happen()
    })
  }
}
