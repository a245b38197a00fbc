// Runs several gateways in a random world and stops at the first broken promise: no organization ever has two schedulers, and soon after all
// faults have ended, everyone agrees on exactly one. Then a gateway that nobody hears loses its organizations, unless nobody hears anybody.

import type { BusServer } from '../../../bus/bus.ts'
import { PeersCore } from '../../peers/core/peers-core.ts'
import { outlast } from '../../peers/core/timing.ts'
import { Chaos } from './chaos.ts'
import { Database } from './database.ts'
import { checkSilence } from './silence.ts'
import { demand, Violation } from '../violation.ts'
import { Random } from '../random.ts'
import { WORLD_TIMING, World, type CreateCore } from './world.ts'

export interface SimulationOptions {
  seed: number
  steps: number
  createCore?: CreateCore
  database?: Database
}

export interface Simulation {
  steps: number
  virtualMs: number
  generation: number
  answers: ReadonlyMap<string, number>
  /** Steps at which some organization had an scheduler while nobody could reach the database. */
  scheduledWithoutDatabase: number
  /** How long it took at the end until everyone agreed. */
  settledMs: number
}

const ORGANIZATIONS = Array.from({ length: 12 }, (_, index) => `organization-${index}`)
const SETTLE_MS = 5_000
const SETTLE_AFTER_LOSS_MS = 10_000

export function simulatePeers(options: SimulationOptions): Simulation {
  const { seed, steps, createCore = (core) => new PeersCore(core), database = new Database() } = options
  const world = new World(new Random(seed), createCore, database)
  // Half of the worlds have few gateways, and lose everything again and again.
  const chaos = new Chaos(world, seed % 2 === 0)
  let scheduledWithoutDatabase = 0
  let taken = 0
  try {
    for (; taken < steps; taken++) {
      world.clock.advance()
      const scheduled = checkSchedulers(world)
      if (scheduled > 0 && world.network.isDatabaseDead) scheduledWithoutDatabase += 1
    }
    chaos.calm()
    const settledMs = settle(world)
    checkSilence(world, ORGANIZATIONS, checkSchedulers)
    const { generation } = database
    const virtualMs = world.clock.now
    return { steps: taken, virtualMs, generation, answers: world.answers, scheduledWithoutDatabase, settledMs }
  } catch (error) {
    if (!(error instanceof Violation)) throw error
    const command = `npm run simulate -- --peers --steps ${steps} --seed ${seed}`
    throw new Violation(`Seed ${seed}, step ${taken}: ${error.message}. See it again with: ${command}`, {
      cause: error,
    })
  }
}

/** Returns how many organizations have an scheduler. */
function checkSchedulers(world: World): number {
  let scheduled = 0
  for (const organization of ORGANIZATIONS) {
    const schedulers = [...world.gateways].filter((gateway) => gateway.core.maySchedule(organization, gateway.now))
    demand(schedulers.length < 2, () => `${organization} has ${schedulers.length} schedulers: ${describe(schedulers)}`)
    scheduled += schedulers.length
  }
  return scheduled
}

function describe(schedulers: readonly { id: string; core: PeersCore }[]): string {
  return schedulers.map(({ id, core }) => `${id} as ${core.number} under ${core.view.generation}`).join(', ')
}

/** Returns how long it took. */
function settle(world: World): number {
  let limitMs = SETTLE_MS
  while (!isSettled(world)) {
    world.clock.advance()
    checkSchedulers(world)
    limitMs = Math.max(limitMs, limitOf(world))
    demand(calmFor(world) < limitMs, () => `not settled after ${limitMs} ms`)
  }
  return calmFor(world)
}

function calmFor({ clock, calmAt, lastLateAt }: World): number {
  return clock.now - Math.max(calmAt, lastLateAt)
}

/** Gateways of another version than the ones that have joined wait outside. */
function isSettled({ alive, database }: World): boolean {
  // Nobody is left to schedule anything.
  if (alive.length === 0) return true
  const versions = new Set([...database.rows.values()].map(({ version }) => version))
  const peers = alive.filter(({ version }) => versions.has(version))
  return (
    peers.length > 0 &&
    peers.every(({ core }) => core.isSettled && core.view.generation === database.generation) &&
    ORGANIZATIONS.every((organization) => peers.some(({ core, now }) => core.maySchedule(organization, now)))
  )
}

/** Rows of dead gateways, all of whose peers are dead too, take longer. */
function limitOf({ alive, database, bus }: World): number {
  const numbers = new Set(alive.map(({ core }) => core.number))
  const forsaken = [...database.rows.values()].filter(
    ({ number, peers }) => !numbers.has(number) && peers.length > 0 && !peers.some((peer) => numbers.has(peer)),
  )
  if (forsaken.length === 0) return SETTLE_MS
  // Nobody can know that they are dead if they were on a server that no gateway is on. Gateways of another version don't claim.
  const isKnown = ({ id, name }: BusServer) =>
    bus.servers.length === 1 && (bus.servers[0]!.id === id || (name !== undefined && bus.servers[0]!.name === name))
  const isEachKnown = forsaken.every(
    (row) => row.bus && isKnown(row.bus) && alive.some(({ version }) => version === row.version),
  )
  return isEachKnown ? SETTLE_AFTER_LOSS_MS : SETTLE_MS + outlast(WORLD_TIMING.graceMs) * 1.02
}
