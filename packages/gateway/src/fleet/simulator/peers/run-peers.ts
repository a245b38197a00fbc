// Gateways that only agree on who schedules what. No organization ever has two schedulers, and soon after all faults have ended, everyone agrees
// on exactly one. Then a gateway that nobody hears loses its organizations, unless nobody hears anybody.

import type { BusServer } from '../../../bus/bus.ts'
import { outlast, TIMING } from '../../peers/core/timing.ts'
import { checkSchedulers } from '../check-schedulers.ts'
import { calm } from '../service/service-trouble.ts'
import { demand } from '../violation.ts'
import { WORLD_TIMING, type Cores } from './cores.ts'
import type { SimulatedCore } from './simulated-core.ts'

export interface Agreement {
  /** Hash of everything that happened: the same seed gives the same hash. */
  hash: number
  virtualMs: number
  generation: number
  answers: ReadonlyMap<string, number>
  /** Steps at which some organization had a scheduler while nobody could reach the database. */
  scheduledWithoutDatabase: number
  /** How long it took at the end until everyone agreed. */
  settledMs: number
}

const ORGANIZATIONS = Array.from({ length: 12 }, (_, index) => `organization-${index}`)
const SETTLE_MS = 5_000
const SETTLE_AFTER_LOSS_MS = 10_000
/** Until nothing from before the calm is on its way. */
const LATE_MS = 13_000
const TAKE_OVER_MS = 5_000
const RETURN_MS = TIMING.returnMs + 4_000
const ALL_SILENT_MS = 10_000

export function runPeers(cores: Cores, count: { steps: number }, steps: number): Agreement {
  let scheduledWithoutDatabase = 0
  for (; count.steps < steps; count.steps++) {
    const scheduled = step(cores)
    if (scheduled > 0 && cores.network.isDatabaseDead) scheduledWithoutDatabase += 1
  }
  calm(cores)
  const settledMs = settle(cores)
  checkSilence(cores)
  const { answers, clock, database, hash } = cores
  return { hash, virtualMs: clock.now, generation: database.generation, answers, scheduledWithoutDatabase, settledMs }
}

/** Returns how many organizations have a scheduler. */
function step({ alive, clock }: Cores): number {
  clock.advance()
  return checkSchedulers(
    ORGANIZATIONS,
    alive,
    ({ name, core }) => `${name} as ${core.number} under ${core.view.generation}`,
  )
}

/** Returns how long it took. */
function settle(cores: Cores): number {
  let limitMs = SETTLE_MS
  while (!isSettled(cores)) {
    step(cores)
    limitMs = Math.max(limitMs, limitOf(cores))
    demand(calmFor(cores) < limitMs, () => `not settled after ${limitMs} ms`)
  }
  return calmFor(cores)
}

function calmFor({ clock, calmAt = 0, lastLateAt }: Cores): number {
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
    ORGANIZATIONS.every((organization) => peers.some((peer) => peer.maySchedule(organization)))
  )
}

/** Rows of dead gateways, all of whose peers are dead too, take longer. */
function limitOf({ alive, database, servers: { running } }: Cores): number {
  const numbers = new Set(alive.map(({ core }) => core.number))
  const forsaken = [...database.rows.values()].filter(
    ({ number, peers }) => !numbers.has(number) && peers.length > 0 && !peers.some((peer) => numbers.has(peer)),
  )
  if (forsaken.length === 0) return SETTLE_MS
  // Nobody can know that they are dead if they were on a server that no gateway is on. Gateways of another version don't claim.
  const isKnown = ({ id, name }: BusServer) =>
    running.length === 1 && (running[0]!.id === id || (name !== undefined && running[0]!.name === name))
  const isEachKnown = forsaken.every(
    (row) => row.bus && isKnown(row.bus) && alive.some(({ version }) => version === row.version),
  )
  return isEachKnown ? SETTLE_AFTER_LOSS_MS : SETTLE_MS + outlast(WORLD_TIMING.graceMs) * 1.02
}

/** When all is calm, first one gateway loses the bus, and then all of them do. Both have a clear right answer. */
function checkSilence(cores: Cores): void {
  const { alive, calmAt = 0, clock, network, random } = cores
  // Now and then, the last gateway of a world leaves just before the calm.
  if (alive.length === 0) return
  const schedulersOf = () => ORGANIZATIONS.map((name) => alive.find((gateway) => gateway.maySchedule(name)))
  const until = (isSo: () => boolean, limitMs: number, what: string) => {
    for (const end = clock.now + limitMs; !isSo();) {
      step(cores)
      demand(clock.now < end, () => `${what}: not after ${limitMs} ms`)
    }
  }
  const isHeard = () => schedulersOf().every(Boolean) && joined(cores).every(isWhole)
  const isQuiet = () => clock.now > calmAt + LATE_MS
  until(() => isQuiet() && isHeard(), LATE_MS + RETURN_MS, 'all are heard after the faults')
  if (joined(cores).length < 2) return

  const silent = random.pick(joined(cores))
  network.cutFromBus.add(silent.name)
  const isTakenOver = () => schedulersOf().every((scheduler) => scheduler !== undefined && scheduler !== silent)
  until(isTakenOver, TAKE_OVER_MS, 'the others take over from a gateway that they do not hear')
  network.cutFromBus.delete(silent.name)
  until(isHeard, RETURN_MS, 'it is heard again')

  const before = schedulersOf()
  for (const { name } of alive) network.cutFromBus.add(name)
  for (const end = clock.now + ALL_SILENT_MS; clock.now < end;) {
    step(cores)
    const isSame = schedulersOf().every((scheduler, index) => scheduler === before[index])
    demand(isSame, () => 'schedulers changed although no gateway hears another one')
  }
}

function joined({ alive }: Cores): SimulatedCore[] {
  return alive.filter(({ core }) => core.number !== undefined)
}

function isWhole({ core }: SimulatedCore): boolean {
  return core.view.all.every(({ isIsolated }) => !isIsolated)
}
