// Runs one gateway or several in a random world and stops at the first broken promise. What peers promise is in `peers/run-peers.ts`.
//
// One             at every step, it has decided what the account expects; at the end, nothing is left
// Several         at every step, no organization has two schedulers; no device has more jobs than slots, or one twice; a client gets
//                 every number once and in order, and one end
//   In order      if only gateways without clients and devices fail, every job starts once and ends well
//   Whole links   if only links of devices are cut, a job's record counts exactly the offers that reached a link
//   At the end    soon after all trouble is over, every job has ended, and no slot is taken

import { setImmediate as nextTurn } from 'node:timers/promises'
import { checkAll, checkEmpty, checkLate } from './account/check-all.ts'
import { checkSchedulers } from './check-schedulers.ts'
import { Crowd } from './crowd.ts'
import { Cores } from './peers/cores.ts'
import { runPeers, type Agreement } from './peers/run-peers.ts'
import { Random } from './random.ts'
import { calm } from './service/service-trouble.ts'
import { cause, planTrouble, type Trouble } from './trouble.ts'
import { demand, Violation } from './violation.ts'
import { Weather } from './weather.ts'
import { isLone, World, type LoneWorld, type WorldOptions } from './world.ts'

export interface SimulationOptions extends WorldOptions {
  seed: number
  /** Of a lone gateway. The worlds of several gateways end by time. */
  steps?: number
  /** In place of the plan that belongs to the seed. */
  plan?: readonly Trouble[]
}

export type PeersOptions = Required<Pick<SimulationOptions, 'seed' | 'steps'>> & Pick<SimulationOptions, 'fault'>

export interface Simulation {
  seed: number
  /** Until everything had ended. */
  steps: number
  /** Hash of everything that clients and devices noticed, in order: the same seed gives the same hash. */
  hash: string
  virtualMs: number
  submitted: number
  delivered: number
  outcomes: ReadonlyMap<string, number>
  /** Jobs that were offered to a second device, and those that it accepted first. */
  hedges: { offered: number; won: number }
  /** Attempts that continued a reply. */
  continued: number
  /** Of the jobs whose time to the first event was forecast. */
  firstEvents: readonly { expectedMs: number; actualMs: number }[]
}

const STEPS_BETWEEN_FULL_CHECKS = 1_024
const SETTLE_MS = 60_000
const AWAY_MS = 2_000
const RETURN_MS = 10_000
const LAST_JOBS = 5
const REPORTED_STEPS = 60

/** Of the world that runs. */
type Count = { steps: number }

export async function simulate(options: SimulationOptions): Promise<Simulation> {
  const { seed, steps = 0 } = options
  const world = new World(new Random(seed), options)
  const count: Count = { steps: 0 }
  try {
    if (isLone(world)) runLone(world, count, steps)
    else await runSeveral(world, count, options)
  } catch (error) {
    throw described(error, seed, world, count, commandOf(options))
  }
  const { submitted, delivered, outcomes, firstEvents, account, clock } = world
  return {
    seed: options.seed,
    ...count,
    hash: world.hash.toString(16).padStart(8, '0'),
    virtualMs: clock.now,
    submitted,
    delivered,
    outcomes,
    hedges: account?.lateOffers.count ?? { offered: 0, won: 0 },
    continued: account?.continued ?? 0,
    firstEvents,
  }
}

/** Gateways that only agree on who schedules what, without clients and devices. */
export function simulatePeers({ seed, steps, fault = {} }: PeersOptions): Agreement {
  const cores = new Cores(new Random(seed), fault, seed % 2 === 0)
  const count: Count = { steps: 0 }
  try {
    return runPeers(cores, count, steps)
  } catch (error) {
    throw described(error, seed, cores, count, `--peers --steps ${steps}`)
  }
}

// One gateway.

function runLone(world: LoneWorld, count: Count, steps: number): void {
  const weather = new Weather(world)
  for (; count.steps < steps; count.steps++) stepLone(world, count)
  weather.calm()
  const end = world.clock.now + SETTLE_MS
  for (; !isAtRest(world); count.steps++) {
    demand(world.clock.now < end, () => `${world.clients.size} clients still wait long after everything was well`)
    stepLone(world, count)
  }
  checkEmpty(world.account)
}

function stepLone({ clock, account }: LoneWorld, { steps }: Count): void {
  clock.advance()
  account.settled()
  checkLate(account)
  if (steps % STEPS_BETWEEN_FULL_CHECKS === 0) checkAll(account)
}

function isAtRest({ account }: LoneWorld): boolean {
  return account.jobs.size === 0 && account.attempts.size === 0 && account.nextDeadline === undefined
}

// Several gateways.

async function runSeveral(world: World, count: Count, options: SimulationOptions): Promise<void> {
  const plan = options.plan ?? planOf(options)
  const untilMs = lengthOf(options.seed)
  const crowd = new Crowd(world)
  crowd.submitUntil(untilMs, world.random.pick([20, 100, 400]))
  // One that is planned for the last moment would never end.
  for (const trouble of plan) world.later(trouble.at, () => cause(world, trouble))
  while (world.clock.now < untilMs) await step(world, crowd, count)
  calm(world)
  // One that was to be replaced may not be yet.
  if (world.alive.every(({ isLeaving }) => isLeaving)) world.startGateway()
  await settle(world, crowd, count, SETTLE_MS)
  world.offers.check()
  if (options.sort === 'one-server') await loseEverything(world, crowd, count)
}

/** Soon after everything died at once and came back, everything works again. */
async function loseEverything(world: World, crowd: Crowd, count: Count): Promise<void> {
  world.say('everything dies')
  world.loseEverything(AWAY_MS)
  await settle(world, crowd, count, AWAY_MS + RETURN_MS)
  for (let job = 0; job < LAST_JOBS; job++) crowd.submitOne()
  await settle(world, crowd, count, SETTLE_MS)
}

async function settle(world: World, crowd: Crowd, count: Count, ms: number): Promise<void> {
  const end = world.clock.now + ms
  while (world.clock.now < end && describeRest(world, crowd) !== '') await step(world, crowd, count)
  const rest = describeRest(world, crowd)
  demand(rest === '', () => `long after all trouble was over: ${rest}`)
}

/** Everything that goes wrong in the world of this seed. */
export function planOf(options: SimulationOptions): Trouble[] {
  return planTrouble(new Random(options.seed + 1_000_000), lengthOf(options.seed), options.sort)
}

function lengthOf(seed: number): number {
  return new Random(seed + 2_000_000).pick([10_000, 20_000, 40_000])
}

async function step(world: World, crowd: Crowd, count: Count): Promise<void> {
  count.steps += 1
  world.clock.advance()
  if (world.hasPromises || world.alive.some(({ isLeaving }) => isLeaving)) {
    world.hasPromises = false
    await nextTurn()
  }
  if (world.failure !== undefined) throw world.failure
  checkSchedulers(crowd.organizations, world.alive, ({ name }) => name)
}

function describeRest({ clients, devices, alive }: World, { organizations }: Crowd): string {
  if (clients.size > 0) return `${clients.size} jobs wait (${[...clients.keys()].join()})`
  const all = [...devices.values()]
  const stats = alive.map(({ fleet }) => fleet.stats())
  const sum = (pick: (one: (typeof stats)[number]) => number) => stats.reduce((total, one) => total + pick(one), 0)
  const counts: [number, string][] = [
    [all.reduce((total, { working }) => total + working.size, 0), 'jobs run on devices'],
    [sum(({ leases }) => leases), 'slots are taken'],
    [sum(({ queued }) => queued), 'jobs are in line'],
    [alive.reduce((total, gateway) => total + reservedAt(gateway), 0), 'tokens are reserved'],
    [all.filter(({ isUp }) => !isUp).length, 'devices are not connected'],
    [
      organizations.filter((name) => !alive.some((gateway) => gateway.maySchedule(name))).length,
      'organizations have no scheduler',
    ],
  ]
  return counts
    .filter(([count]) => count > 0)
    .map(([count, what]) => `${count} ${what}`)
    .join(', ')
}

function reservedAt({ roles }: World['alive'][number]): number {
  return [...roles.schedulers.stats().values()].reduce((total, { reserved }) => total + reserved, 0)
}

// The report.

function described(
  error: unknown,
  seed: number,
  { steps: said }: Pick<World, 'steps'>,
  { steps }: Count,
  command: string,
): Violation {
  const cause = error instanceof Error ? error : new Error(String(error))
  const last = said.slice(-REPORTED_STEPS).map((one) => `${one}\n`)
  const place = command.includes('--steps') ? `Seed ${seed}, step ${steps}` : `Seed ${seed}`
  const again = `npm run simulate -- ${command} --seed ${seed}`
  return new Violation(`${last.join('')}${place}: ${cause.message}. See it again with: ${again}`, { cause })
}

function commandOf({ gateways, steps, sort }: SimulationOptions): string {
  if (steps !== undefined) return `--steps ${steps}`
  return `--gateways ${gateways}${sort === undefined || sort === 'several' ? '' : ` --${sort}`}`
}
