// Runs several gateways in a random world and stops at the first broken promise.
//
// At every step   no organization has two lessors; no device has more jobs than slots, or one twice; a client gets
//                 every number once and in order, and one end
// In order        if only gateways without clients and devices fail, every job starts once and ends well
// Whole links     if only links of devices are cut, a job's record counts exactly the offers that reached a link
// At the end      soon after all trouble is over, every job has ended, and no slot is taken

import { setImmediate as nextTurn } from 'node:timers/promises'
import { Random } from './random.ts'
import { demand, Violation } from './violation.ts'
import { SharedWorld, type SharedOptions } from './shared-world.ts'
import { calm, cause, planTrouble, type Trouble } from './trouble.ts'

export interface SharedRunOptions extends SharedOptions {
  seed: number
  /** In place of the plan that belongs to the seed. */
  plan?: readonly Trouble[]
}

export interface SharedRun {
  hash: string
  submitted: number
  delivered: number
  virtualMs: number
  outcomes: ReadonlyMap<string, number>
}

const SETTLE_MS = 60_000
const AWAY_MS = 2_000
const RETURN_MS = 10_000
const LAST_JOBS = 5
const REPORTED_STEPS = 60

export async function simulateShared(options: SharedRunOptions): Promise<SharedRun> {
  const { seed } = options
  const random = new Random(seed)
  const untilMs = lengthOf(seed)
  const plan = options.plan ?? planOf(options)
  const world = new SharedWorld(random, options)
  try {
    submitNow(world, untilMs, random.pick([20, 100, 400]))
    // One that is planned for the last moment would never end.
    for (const trouble of plan) world.clock.after(trouble.at, () => (world.isCalm ? undefined : cause(world, trouble)))
    while (world.clock.now < untilMs) await step(world)
    calm(world)
    const end = world.clock.now + SETTLE_MS
    while (world.clock.now < end && !isQuiet(world)) await step(world)
    checkQuiet(world)
    world.checkOffers()
    if (options.hasOneServer) await loseEverything(world)
  } catch (error) {
    throw described(error, options, world)
  }
  const { submitted, delivered, outcomes } = world
  return { hash: world.hash.toString(16), submitted, delivered, outcomes, virtualMs: world.clock.now }
}

/** Soon after everything died at once and came back, everything works again. */
async function loseEverything(world: SharedWorld): Promise<void> {
  world.say('everything dies')
  world.loseEverything(AWAY_MS)
  const end = world.clock.now + AWAY_MS + RETURN_MS
  while (world.clock.now < end && !isQuiet(world)) await step(world)
  checkQuiet(world)
  for (let count = 0; count < LAST_JOBS; count++) world.submitOne()
  const last = world.clock.now + SETTLE_MS
  while (world.clock.now < last && !isQuiet(world)) await step(world)
  checkQuiet(world)
}

/** Everything that goes wrong in the world of this seed. */
export function planOf(options: SharedRunOptions): Trouble[] {
  return planTrouble(new Random(options.seed + 1_000_000), lengthOf(options.seed), options)
}

function lengthOf(seed: number): number {
  return new Random(seed + 2_000_000).pick([10_000, 20_000, 40_000])
}

function submitNow(world: SharedWorld, untilMs: number, everyMs: number): void {
  if (world.clock.now >= untilMs) return
  world.submitOne()
  world.clock.after(world.random.between(1, 2 * everyMs), () => submitNow(world, untilMs, everyMs))
}

async function step(world: SharedWorld): Promise<void> {
  world.clock.advance()
  if (world.hasPromises || world.alive.some(({ isLeaving }) => isLeaving)) {
    world.hasPromises = false
    await nextTurn()
  }
  if (world.failure !== undefined) throw world.failure
  checkSchedulers(world)
}

function checkSchedulers({ organizations, alive }: SharedWorld): void {
  for (const organization of organizations) {
    const lessors = alive.filter(({ peers }) => peers.maySchedule(organization))
    demand(lessors.length < 2, () => `${organization} has two lessors: ${lessors.map(({ name }) => name).join()}`)
  }
}

function isQuiet(world: SharedWorld): boolean {
  return describeRest(world) === ''
}

function checkQuiet(world: SharedWorld): void {
  const rest = describeRest(world)
  demand(rest === '', () => `long after all trouble was over: ${rest}`)
}

function describeRest({ clients, devices, alive, organizations }: SharedWorld): string {
  const all = [...devices.values()]
  const stats = alive.map(({ fleet }) => fleet.stats())
  const sum = (pick: (one: (typeof stats)[number]) => number) => stats.reduce((total, one) => total + pick(one), 0)
  const counts: [number, string][] = [
    [clients.size, `jobs wait (${[...clients.keys()].join()})`],
    [all.reduce((total, { working }) => total + working.size, 0), 'jobs run on devices'],
    [sum(({ leases }) => leases), 'slots are taken'],
    [sum(({ queued }) => queued), 'jobs are in line'],
    [all.filter(({ isUp }) => !isUp).length, 'devices are not connected'],
    [
      organizations.filter((name) => !alive.some(({ peers }) => peers.maySchedule(name))).length,
      'organizations have no lessor',
    ],
  ]
  return counts
    .filter(([count]) => count > 0)
    .map(([count, what]) => `${count} ${what}`)
    .join(', ')
}

function described(
  error: unknown,
  { seed, gateways, isOrderly = false, hasOneServer = false, onlyDevices = false }: SharedRunOptions,
  { steps }: SharedWorld,
): Violation {
  const cause = error instanceof Error ? error : new Error(String(error))
  const command = `npm run simulate -- --gateways ${gateways}${isOrderly ? ' --orderly' : ''}${onlyDevices ? ' --only-devices' : ''}${hasOneServer ? ' --one-server' : ''} --seed ${seed}`
  const last = steps.slice(-REPORTED_STEPS).join('\n')
  return new Violation(`${last}\nSeed ${seed}: ${cause.message}. See it again with: ${command}`, { cause })
}
