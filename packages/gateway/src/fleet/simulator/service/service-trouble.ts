// What goes wrong around gateways that share a database and a bus: they come, leave, die and pause; the network, the database and the servers of
// the bus fail in parts or as a whole.

import type { BusServer } from '../../../bus/bus.ts'
import type { Ms } from '../../terms/job.ts'
import type { Network } from './network.ts'
import { SORTS, type Sort } from './sorts.ts'
import type { Member, Service } from './service.ts'

type AnyService = Service<Member, unknown>

export interface Scene<World = AnyService> {
  world: World
  /** The one that it happens to; undefined if there is none. */
  gateway: Member | undefined
  /** How long it lasts. */
  ms: Ms
  /** Afterwards, unless all is calm by then. */
  later: (act: () => void) => void
}

export const SERVICE_TROUBLE = {
  start: ({ world }: Scene) => world.startGateway(),
  die: ({ world, gateway }: Scene) => gateway && world.kill(gateway),
  leave: ({ world, gateway }: Scene) => gateway && world.leave(gateway),
  kill: ({ world, gateway, ms }: Scene) => {
    if (gateway === undefined) return
    world.kill(gateway)
    world.clock.after(ms / 4, () => world.startGateway())
  },
  /** The new one is there before the old one leaves. */
  'shut-down': ({ world, gateway, ms }: Scene) => {
    if (gateway === undefined || gateway.isLeaving || gateway.process.isStopped) return
    world.startGateway()
    world.clock.after(ms / 4, () => {
      if (!gateway.process.isDead) world.leave(gateway)
    })
  },
  stop: ({ gateway, later }: Scene) => {
    if (gateway === undefined || gateway.process.isStopped) return
    gateway.process.stop()
    later(() => gateway.process.goOn())
  },
  /** All gateways are killed, often the bus and the database too, and new ones start. */
  'all-die': (scene: Scene) => {
    const { alive, random, servers } = scene.world
    for (const gateway of alive.slice()) scene.world.kill(gateway)
    if (random.chance(0.5)) for (const server of servers.running) restart(scene, server)
    if (random.chance(0.5)) breakDatabase(scene, 'isDatabaseDead')
    startSome(scene, 1, 4)
  },
  'everything-dies': ({ world, ms }: Scene) => world.loseEverything(ms / 4),
  'bus-dies': ({ world: { servers }, later }: Scene) => {
    servers.die()
    later(() => servers.revive())
  },
  'bus-server-restarts': (scene: Scene) => restart(scene, scene.world.random.pick(scene.world.servers.running)),
  /** Servers of the bus that don't reach each other. */
  'bus-splits': ({ world: { network, random, servers }, later }: Scene) => {
    const side = new Set(random.some(servers.running, 0.5))
    for (const one of side) for (const two of servers.running) if (!side.has(two)) network.cutRoute(one, two)
    later(() => network.cutRoutes.clear())
  },
  'bus-cut': (scene: Scene) => scene.gateway && cut(scene, 'cutFromBus', [scene.gateway]),
  'bus-cut-from-all': (scene: Scene) => cut(scene, 'cutFromBus', scene.world.alive),
  'database-dies': (scene: Scene) => breakDatabase(scene, 'isDatabaseDead'),
  'database-stops': (scene: Scene) => breakDatabase(scene, 'isDatabaseStopped'),
  'database-cut': (scene: Scene) => scene.gateway && cut(scene, 'cutFromDatabase', [scene.gateway]),
  'database-cut-from-most': (scene: Scene) =>
    cut(scene, 'cutFromDatabase', scene.world.random.some(scene.world.alive, 0.7)),
  /** All gateways lose the database, and new ones that reach it start beside them. */
  abandon: (scene: Scene) => {
    const { alive, random, servers } = scene.world
    const all = alive.slice()
    if (random.chance(0.5)) restart(scene, random.pick(servers.running))
    scene.world.later(random.pick([0, 1_000, 2_000, 4_000]), () => {
      cut(scene, 'cutFromDatabase', all)
      startSome(scene, 1, 2)
    })
  },
  /** Most gateways end up on an island, often with their server of the bus, and new ones start elsewhere. */
  island: (scene: Scene) => {
    const { alive, network, random, servers } = scene.world
    if (network.island.size > 0 || servers.running.length === 0) return
    const server = random.pick(servers.running)
    const here = random.chance(0.5) ? alive.filter(({ bus }) => bus?.server === server) : alive
    for (const { name } of random.some(here, random.pick([0.6, 1]))) network.island.add(name)
    if (random.chance(0.7)) network.island.add(server.id)
    // An operator who gives servers no names may start another one, without knowing whether the old one is dead.
    const isReplaced = server.name === undefined && servers.running.length === 1 && network.island.has(server.id)
    if (isReplaced) servers.start()
    startSome(scene, 0, 3)
    scene.later(() => rejoin(scene.world))
  },
  unrest: ({ world: { network, random } }: Scene) => {
    network.faults.loss = random.pick([0, 0, 0.02, 0.3])
    network.faults.doubling = random.pick([0, 0.1])
    network.faults.slowness = random.pick([0, 0, 0.02, 0.2])
  },
  loss: (scene: Scene) => disturb(scene, 'loss', 0.02),
  doubling: (scene: Scene) => disturb(scene, 'doubling', 0.3),
  slowness: (scene: Scene) => disturb(scene, 'slowness', 0.1),
}

/** How often each kind of trouble is chosen, in the order of `SORTS`. */
export type Often<Kind extends string> = Readonly<
  Record<Kind, readonly [number, number, number, number, number, number]>
>

export const OFTEN: Often<keyof typeof SERVICE_TROUBLE> = {
  start: [2, 0, 0, 0, 0, 0],
  island: [1, 2, 1, 0, 0, 0],
  'bus-server-restarts': [1, 1, 0, 0, 0, 0],
  'all-die': [1, 1, 0, 0, 0, 0],
  abandon: [0, 3, 0, 0, 0, 0],
  stop: [1, 1, 2, 1, 1, 0],
  unrest: [1, 1, 0, 0, 0, 0],
  die: [1, 0, 0, 0, 0, 0],
  leave: [1, 0, 0, 0, 0, 0],
  'database-cut': [1, 0, 2, 0, 1, 0],
  'database-cut-from-most': [1, 0, 0, 0, 0, 0],
  'bus-cut': [2, 0, 1, 2, 1, 0],
  'bus-cut-from-all': [1, 0, 0, 0, 0, 0],
  'bus-splits': [1, 0, 1, 0, 0, 0],
  'database-dies': [1, 0, 1, 0, 1, 0],
  'database-stops': [1, 0, 1, 0, 1, 0],
  'bus-dies': [0, 0, 1, 0, 0, 0],
  kill: [0, 0, 2, 1, 2, 0],
  'shut-down': [0, 0, 1, 2, 1, 0],
  loss: [0, 0, 1, 0, 0, 0],
  doubling: [0, 0, 1, 1, 0, 0],
  slowness: [0, 0, 1, 3, 0, 0],
  'everything-dies': [0, 0, 1, 0, 2, 0],
}

export function listKinds<Kind extends string>(often: Often<Kind>, sort: Sort): Kind[] {
  const kinds = Object.keys(often) as Kind[]
  return kinds.flatMap((kind) => Array.from({ length: often[kind][SORTS.indexOf(sort)]! }, () => kind))
}

export function happen<World extends AnyService>(
  world: World,
  { kind, gateway, ms }: { kind: string; gateway: Member | undefined; ms: Ms },
  cause: (scene: Scene<World>) => void,
): void {
  world.say(`trouble: ${kind} for ${ms} ms (${gateway?.name})`)
  cause({ world, gateway, ms, later: (act) => world.later(ms, act) })
}

/** Ends all trouble. */
export function calm(world: AnyService): void {
  world.say('all trouble is over')
  world.calmAt = world.clock.now
  rejoin(world)
  world.network.heal()
  world.servers.revive()
  for (const { process } of world.alive) if (process.isStopped) process.goOn()
}

function rejoin({ network, servers }: AnyService): void {
  // One that was replaced is found and stopped.
  const [first, second] = servers.running
  if (first && second && second.name === undefined && network.island.has(first.id)) servers.kill(first)
  network.island.clear()
}

function startSome({ world }: Scene, least: number, most: number): void {
  for (let count = world.random.between(least, most); count > 0; count--) world.startGateway()
}

function restart({ world: { network, servers } }: Scene, server: BusServer | undefined): void {
  if (server && !network.island.has(server.id)) servers.restart(server)
}

function cut({ world, later }: Scene, from: 'cutFromBus' | 'cutFromDatabase', gateways: readonly Member[]): void {
  const names = gateways.map(({ name }) => name)
  for (const name of names) world.network[from].add(name)
  later(() => names.forEach((name) => world.network[from].delete(name)))
}

function breakDatabase({ world: { network }, later }: Scene, how: 'isDatabaseDead' | 'isDatabaseStopped'): void {
  network[how] = true
  later(() => (network[how] = false))
}

function disturb({ world: { network }, later }: Scene, name: keyof Network['faults'], value: number): void {
  network.faults[name] = value
  later(() => (network.faults[name] = 0))
}
