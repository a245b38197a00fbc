// Everything that goes wrong in one world, planned in advance: so a plan that breaks a promise can be made smaller.

import type { Random } from './random.ts'
import type { Device } from './actors/device.ts'
import type { Gateway } from './actors/simulated-gateway.ts'
import type { Faults } from './network.ts'
import type { World, WorldOptions } from './world.ts'

export interface Trouble {
  at: number
  kind: (typeof KINDS)[number]
  /** How long it lasts. */
  ms: number
  /** Chooses the gateway or device that it happens to. */
  which: number
}

const KINDS = [
  'kill',
  'kill',
  'stop',
  'stop',
  'shut-down',
  'partition',
  'partition',
  'bus-dies',
  'bus-link-breaks',
  'database-dies',
  'database-stops',
  'database-cut',
  'database-cut',
  'loss',
  'doubling',
  'slowness',
  'device-cut',
  'device-cut',
  'device-cut',
  'clients-leave',
  'clients-pause',
  'everything-dies',
] as const

/** Of gateways that have neither clients nor devices. */
const ORDERLY_KINDS: readonly Trouble['kind'][] = [
  'kill',
  'stop',
  'shut-down',
  'shut-down',
  'partition',
  'bus-link-breaks',
  'doubling',
  'slowness',
  'slowness',
  'slowness',
]

const DEVICE_KINDS: readonly Trouble['kind'][] = ['device-cut', 'device-cut', 'device-cut', 'clients-leave']

/** Where the bus is one server that loses nothing. */
const ONE_SERVER_KINDS: readonly Trouble['kind'][] = [
  'kill',
  'kill',
  'stop',
  'shut-down',
  'bus-link-breaks',
  'database-dies',
  'database-stops',
  'database-cut',
  'device-cut',
  'device-cut',
  'clients-leave',
  'clients-pause',
  'everything-dies',
  'everything-dies',
]

export function planTrouble(random: Random, untilMs: number, options: WorldOptions): Trouble[] {
  const count = random.between(3, 25) * (options.onlyDevices ? 10 : 1)
  const kinds = kindsOf(options)
  const plan = Array.from({ length: count }, () => ({
    at: random.between(2_000, untilMs),
    kind: random.pick(kinds),
    ms: random.pick([100, 800, 2_500, 4_000, 7_000, 12_000, 30_000]),
    which: random.between(0, 1_000),
  }))
  return plan.toSorted((one, other) => one.at - other.at)
}

function kindsOf({ isOrderly, hasOneServer, onlyDevices }: WorldOptions): readonly Trouble['kind'][] {
  if (isOrderly) return ORDERLY_KINDS
  if (onlyDevices) return DEVICE_KINDS
  return hasOneServer ? ONE_SERVER_KINDS : KINDS
}

/** Something that goes wrong, and what it happens to. */
interface Scene extends Pick<Trouble, 'ms' | 'which'> {
  world: World
  gateway: Gateway | undefined
  later: (act: () => void) => void
}

export function cause(world: World, { kind, ms, which }: Trouble): void {
  const gateway = world.exposed[which % Math.max(1, world.exposed.length)]
  world.say(`trouble: ${kind} for ${ms} ms (${gateway?.name})`)
  const later = (act: () => void) => world.later(ms, act)
  CAUSES[kind]({ world, gateway, ms, which, later })
}

const CAUSES: Record<Trouble['kind'], (scene: Scene) => void> = {
  kill: ({ world, gateway, ms }) => gateway && replace(world, gateway, ms),
  stop: ({ gateway, later }) => gateway && stop(gateway, later),
  'shut-down': ({ world, gateway, ms }) => gateway && shutDown(world, gateway, ms),
  partition: ({ world, which, later }) => {
    world.bus.partition(...sidesOf(world, which))
    later(() => world.bus.heal())
  },
  'bus-dies': ({ world, later }) => {
    world.bus.kill()
    world.isBusDead = true
    later(() => revive(world))
  },
  'bus-link-breaks': ({ world, gateway, later }) => {
    if (gateway) world.bus.kill(gateway.name)
    later(() => revive(world))
  },
  'database-dies': ({ world: { network }, later }) => {
    network.isDatabaseDead = true
    later(() => (network.isDatabaseDead = false))
  },
  'database-stops': ({ world: { network }, later }) => {
    network.isDatabaseStopped = true
    later(() => (network.isDatabaseStopped = false))
  },
  'database-cut': ({ world: { network }, gateway, later }) => {
    if (gateway) network.cutFromDatabase.add(gateway.name)
    later(() => network.cutFromDatabase.clear())
  },
  loss: (scene) => disturb(scene, 'loss', 0.02),
  doubling: (scene) => disturb(scene, 'doubling', 0.3),
  slowness: (scene) => disturb(scene, 'slowness', 0.1),
  'device-cut': ({ world, which }) => {
    const device = [...world.devices.values()][which % world.devices.size]
    if (device) cut(world, device)
  },
  'clients-leave': ({ world }) => {
    for (const client of world.random.some([...world.clients.values()], 0.5)) client.leave()
  },
  'clients-pause': ({ world, ms }) => {
    for (const client of world.random.some([...world.clients.values()], 0.5)) client.pause(Math.min(ms, 5_000))
  },
  'everything-dies': ({ world, ms }) => world.loseEverything(ms / 4),
}

function disturb({ world: { network }, later }: Scene, name: keyof Faults, value: number): void {
  network.faults = { ...network.faults, [name]: value }
  later(() => (network.faults = { ...network.faults, [name]: 0 }))
}

function sidesOf({ alive, exposed }: World, which: number): [string[], string[]] {
  const names = exposed.map(({ name }) => name)
  const cut = 1 + (which % Math.max(1, names.length - 1))
  const side = names.slice(0, cut)
  return [side, alive.map(({ name }) => name).filter((name) => !side.includes(name))]
}

/** Ends all trouble. */
export function calm(world: World): void {
  const { network, bus } = world
  world.say('all trouble is over')
  world.isCalm = true
  network.heal()
  bus.heal()
  revive(world)
  for (const { process } of world.alive) if (process.isStopped) process.goOn()
  // One that was to be replaced may not be yet.
  if (world.alive.every(({ isLeaving }) => isLeaving)) world.startGateway()
}

function stop({ process }: Gateway, later: (act: () => void) => void): void {
  if (process.isStopped) return
  process.stop()
  later(() => process.goOn())
}

function cut({ random }: World, { link }: Device): void {
  const notice = () => (random.chance(0.2) ? undefined : random.pick([0, 50, 2_000]))
  link?.cut(notice(), notice())
}

function replace(world: World, gateway: Gateway, ms: number): void {
  world.kill(gateway)
  world.clock.after(ms / 4, () => world.startGateway())
}

/** The new one is there before the old one leaves. */
function shutDown(world: World, gateway: Gateway, ms: number): void {
  if (gateway.isLeaving || gateway.process.isStopped) return
  world.startGateway()
  world.clock.after(ms / 4, () => {
    if (!gateway.process.isDead) void world.shutDown(gateway).catch((error: unknown) => world.fail(error))
  })
}

/** Dead gateways stay away. */
function revive(world: World): void {
  world.isBusDead = false
  world.bus.revive()
  for (const { name } of world.alive) world.bus.revive(name)
}
