// Gateways that only agree on who schedules what. No organization ever has two schedulers, and soon after all faults have ended, everyone agrees
// on exactly one. Then a gateway that nobody hears loses its organizations, unless nobody hears anybody.

import type { BusServer } from '../../../bus/bus.ts'
import { outlast } from '../../peers/core/timing.ts'
import { checkSchedulers } from '../check-schedulers.ts'
import { Chaos } from './chaos.ts'
import { checkSilence } from './silence.ts'
import type { SimulatedCore } from './simulated-core.ts'
import { demand } from '../violation.ts'
import type { World } from '../world.ts'
import { Cores, WORLD_TIMING } from './cores.ts'

export interface Agreement {
  generation: number
  answers: ReadonlyMap<string, number>
  /** Steps at which some organization had a scheduler while nobody could reach the database. */
  scheduledWithoutDatabase: number
  /** How long it took at the end until everyone agreed. */
  settledMs: number
}

/** Worlds begin with up to so many. */
export const MOST_PEERS = 7
const ORGANIZATIONS = Array.from({ length: 12 }, (_, index) => `organization-${index}`)
const SETTLE_MS = 5_000
const SETTLE_AFTER_LOSS_MS = 10_000

/** Half of the worlds have few gateways, and lose everything again and again. */
export function runPeers(world: World, count: { steps: number }, steps: number, hasFew: boolean): Agreement {
  const cores = new Cores(world)
  const chaos = new Chaos(cores, world.options.gateways, hasFew)
  let scheduledWithoutDatabase = 0
  for (; count.steps < steps; count.steps++) {
    world.clock.advance()
    const scheduled = checkCores(cores)
    if (scheduled > 0 && world.network.isDatabaseDead) scheduledWithoutDatabase += 1
  }
  chaos.calm()
  const settledMs = settle(cores)
  checkSilence(cores, ORGANIZATIONS, checkCores)
  return { generation: world.database.generation, answers: cores.answers, scheduledWithoutDatabase, settledMs }
}

/** Returns how many organizations have a scheduler. */
function checkCores({ gateways }: Cores): number {
  return checkSchedulers(ORGANIZATIONS, gateways, maySchedule, describe)
}

function maySchedule({ core, now }: SimulatedCore, organization: string): boolean {
  return core.maySchedule(organization, now)
}

function describe({ id, core }: SimulatedCore): string {
  return `${id} as ${core.number} under ${core.view.generation}`
}

/** Returns how long it took. */
function settle(cores: Cores): number {
  let limitMs = SETTLE_MS
  while (!isSettled(cores)) {
    cores.clock.advance()
    checkCores(cores)
    limitMs = Math.max(limitMs, limitOf(cores))
    demand(calmFor(cores) < limitMs, () => `not settled after ${limitMs} ms`)
  }
  return calmFor(cores)
}

function calmFor({ clock, calmAt, lastLateAt }: Cores): number {
  return clock.now - Math.max(calmAt, lastLateAt)
}

/** Gateways of another version than the ones that have joined wait outside. */
function isSettled({ alive, database }: Cores): boolean {
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
function limitOf({ alive, database, bus }: Cores): number {
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
