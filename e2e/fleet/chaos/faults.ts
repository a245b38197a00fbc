// The ways in which a service of several gateways loses something. Each says what it measures, and what the design promises about it.

import { setTimeout as sleep } from 'node:timers/promises'
import type { SentRequest } from './sent-request.ts'
import type { Measures, Stage } from './stage.ts'

export interface Fault {
  name: string
  /** For the table. */
  what: string
  /** The promise for each measure, in milliseconds. */
  promises: Record<string, number | undefined>
  /** Whether requests may get an error, because something that they need is away. */
  allowsErrors: boolean
  run: (stage: Stage) => Promise<Measures>
}

const LEADERSHIP_BOUND_MS = 5_000
/** From when new gateways are started. */
const RESTART_BOUND_MS = 10_000
/** The time that a device takes to connect again here: it tries at once, and the next gateway after that. */
const RECONNECT_MS = 2_500
const WATCHED_S = 7
const WATCHED = 4

const SLOTS_FREE = 'slots free'
const STREAMS_GO_ON = 'streams go on'
const DEVICES_BACK = 'devices linked'
const GRANTS_PAUSE = 'longest wait'
const LONGEST_GAP = 'longest gap'
const BACK = 'back after'

export const FAULTS: readonly Fault[] = [
  {
    name: 'front',
    what: 'kill -9 of the gateway of clients',
    promises: { [SLOTS_FREE]: LEADERSHIP_BOUND_MS },
    allowsErrors: false,
    run: loseFront,
  },
  {
    name: 'home',
    what: 'kill -9 of the gateway of devices',
    promises: { [STREAMS_GO_ON]: LEADERSHIP_BOUND_MS + RECONNECT_MS, [DEVICES_BACK]: RECONNECT_MS },
    allowsErrors: false,
    run: loseHome,
  },
  {
    name: 'scheduler',
    what: 'kill -9 of the scheduling gateway',
    promises: { [GRANTS_PAUSE]: LEADERSHIP_BOUND_MS, [LONGEST_GAP]: undefined },
    allowsErrors: false,
    run: loseScheduler,
  },
  {
    name: 'nats',
    what: 'kill -9 of NATS for 3 s',
    promises: { [GRANTS_PAUSE]: undefined, [BACK]: LEADERSHIP_BOUND_MS },
    allowsErrors: true,
    run: loseNats,
  },
  {
    name: 'postgres',
    what: 'kill -9 of PostgreSQL for 6 s',
    promises: { [GRANTS_PAUSE]: undefined, [LONGEST_GAP]: undefined },
    allowsErrors: false,
    run: losePostgres,
  },
  {
    name: 'stop',
    what: 'SIGSTOP of the scheduling gateway for 5 s',
    promises: { [GRANTS_PAUSE]: LEADERSHIP_BOUND_MS, [BACK]: LEADERSHIP_BOUND_MS },
    allowsErrors: true,
    run: (stage) => suspend(stage, 5_000),
  },
  {
    name: 'long-stop',
    what: 'SIGSTOP of the scheduling gateway for 30 s',
    promises: { [GRANTS_PAUSE]: LEADERSHIP_BOUND_MS, [BACK]: LEADERSHIP_BOUND_MS },
    allowsErrors: true,
    run: (stage) => suspend(stage, 30_000),
  },
  {
    name: 'cut',
    what: 'scheduling gateway cut off from NATS for 6 s',
    promises: { [GRANTS_PAUSE]: LEADERSHIP_BOUND_MS, [BACK]: LEADERSHIP_BOUND_MS },
    allowsErrors: true,
    run: (stage) => cutOff(stage, ['nats']),
  },
  {
    name: 'isolated',
    what: 'scheduling gateway cut off from NATS and PostgreSQL for 6 s',
    promises: { [GRANTS_PAUSE]: LEADERSHIP_BOUND_MS, [BACK]: LEADERSHIP_BOUND_MS },
    allowsErrors: true,
    run: (stage) => cutOff(stage, ['nats', 'postgres']),
  },
  {
    name: 'everything',
    what: 'kill -9 of all gateways, NATS and PostgreSQL',
    promises: { [BACK]: RESTART_BOUND_MS },
    allowsErrors: true,
    run: loseEverything,
  },
]

const NATS_AWAY_MS = 3_000
const POSTGRES_AWAY_MS = 6_000
const CUT_MS = 6_000

/** All slots but those of the load belong to clients of the gateway that is killed. */
async function loseFront(stage: Stage): Promise<Measures> {
  const { front, home, scheduler } = stage.roles
  await stage.begin({ devices: [home, scheduler], clients: [home, scheduler] })
  const gate = Promise.withResolvers<void>()
  const count = freeSlots(stage)
  await firsts(Array.from({ length: count }, () => stage.hold(front, gate.promise)))
  await stage.kill(front)
  const killedAt = performance.now()
  await firsts(Array.from({ length: count }, (_, index) => stage.hold([home, scheduler][index % 2]!, gate.promise)))
  gate.resolve()
  return { [SLOTS_FREE]: performance.now() - killedAt }
}

async function loseHome(stage: Stage): Promise<Measures> {
  const { front, home, scheduler } = stage.roles
  await stage.begin({ devices: [home, scheduler], clients: [front, scheduler] })
  // All slots are taken, so half of the streams are on these devices.
  const watched = await watchSome(stage, [front, scheduler], freeSlots(stage))
  const works = worksAt(stage, home)
  await stage.kill(home)
  const killedAt = performance.now()
  await stage.world.allLinked()
  const linkedAt = performance.now()
  const hit = watched.filter(({ question }) => works.has(question.name))
  await Promise.all(hit.map(({ ended }) => ended))
  return {
    [STREAMS_GO_ON]: Math.max(0, ...hit.map((asked) => asked.longestGapSince(killedAt))),
    [DEVICES_BACK]: linkedAt - killedAt,
  }
}

async function loseScheduler(stage: Stage): Promise<Measures> {
  const { scheduler } = stage.roles
  await stage.begin({ devices: stage.others, clients: stage.others })
  const watched = await watchSome(stage)
  await stage.kill(scheduler)
  return measurePause(stage, watched, sleep(LEADERSHIP_BOUND_MS))
}

/** A gateway that is front, home and scheduler needs no other one. */
async function loseNats(stage: Stage): Promise<Measures> {
  const { nats } = stage.world.fleet
  const { scheduler } = stage.roles
  await stage.begin({ devices: stage.world.gateways, clients: stage.world.gateways })
  await nats.kill()
  const longest = await stage.probeUntil([scheduler], sleep(NATS_AWAY_MS))
  await nats.restart()
  return { [GRANTS_PAUSE]: longest, [BACK]: await backAfter(stage, stage.others) }
}

async function losePostgres(stage: Stage): Promise<Measures> {
  const { postgres } = stage.world.fleet
  await stage.begin({ devices: stage.world.gateways, clients: stage.world.gateways })
  const watched = await watchSome(stage)
  await postgres.kill()
  const measures = await measurePause(stage, watched, sleep(POSTGRES_AWAY_MS))
  await postgres.restart()
  return measures
}

async function loseEverything(stage: Stage): Promise<Measures> {
  const { nats, postgres } = stage.world.fleet
  await stage.begin({ devices: stage.world.gateways, clients: stage.world.gateways })
  await Promise.all([stage.killAll(), nats.kill(), postgres.kill()])
  await Promise.all([nats.restart(), postgres.restart()])
  const since = performance.now()
  await stage.replaceKilled()
  return { [BACK]: performance.now() - since }
}

async function suspend(stage: Stage, ms: number): Promise<Measures> {
  const { scheduler } = stage.roles
  const process = stage.world.fleet.replicas[scheduler]!
  await stage.begin({ devices: stage.world.gateways, clients: stage.world.gateways })
  process.signal('SIGSTOP')
  stage.fronts = stage.others
  const awake = sleep(ms).then(() => process.signal('SIGCONT'))
  const longest = await stage.probeUntil(stage.others, awake)
  return { [GRANTS_PAUSE]: longest, [BACK]: await backAfter(stage, [scheduler]) }
}

async function cutOff(stage: Stage, from: readonly ('nats' | 'postgres')[]): Promise<Measures> {
  const { scheduler } = stage.roles
  const lines = from.map((server) => stage.world.lines[scheduler]![server])
  await stage.begin({ devices: stage.world.gateways, clients: stage.world.gateways })
  for (const line of lines) line.cut()
  stage.fronts = stage.others
  const longest = stage.probeUntil(stage.others, sleep(CUT_MS))
  await sleep(CUT_MS)
  for (const line of lines) line.heal()
  const healed = backAfter(stage, [scheduler])
  return { [GRANTS_PAUSE]: await longest, [BACK]: await healed }
}

async function backAfter(stage: Stage, gateways: readonly number[]): Promise<number> {
  const since = performance.now()
  await Promise.all(gateways.map((gateway) => stage.answers(gateway)))
  return performance.now() - since
}

async function measurePause(stage: Stage, watched: readonly SentRequest[], end: Promise<unknown>): Promise<Measures> {
  const since = performance.now()
  const longest = await stage.probeUntil(stage.others, end)
  await Promise.all(watched.map(({ ended }) => ended))
  return {
    [GRANTS_PAUSE]: longest,
    [LONGEST_GAP]: Math.max(...watched.map((asked) => asked.longestGapSince(since))),
  }
}

/** Those that the load doesn't need. */
function freeSlots({ world, load }: Stage): number {
  return world.devices.length * world.slots - load.open.length
}

async function watchSome(stage: Stage, fronts = stage.others, count = WATCHED): Promise<SentRequest[]> {
  const watched = Array.from({ length: count }, (_, index) => stage.watch(fronts[index % 2]!, WATCHED_S))
  await firsts(watched)
  return watched
}

async function firsts(all: readonly SentRequest[]): Promise<void> {
  const came = await Promise.all(all.map(({ first }) => first))
  const ends = all.filter((_, index) => !came[index]).map(({ end }) => JSON.stringify(end))
  if (ends.length > 0) throw new Error(`${ends.length} of ${all.length} requests got no token: ${ends.join(', ')}`)
}

/** The names of the jobs on devices that are linked to this gateway. */
function worksAt({ world }: Stage, gateway: number): Set<string> {
  const there = world.devices.filter(({ home }) => home === world.origin(gateway))
  return new Set(there.flatMap(({ works }) => works))
}
