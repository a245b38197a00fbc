// Runs one gateway in a random world and stops at the first broken promise.

import { checkAll, checkEmpty, checkLate } from './account/check-all.ts'
import type { Fault } from './actors/simulated-gateway.ts'
import { LoneWorld } from './lone-world.ts'
import { Random } from './random.ts'
import { demand, Violation } from './violation.ts'
import { Weather } from './weather.ts'

export interface LoneOptions {
  seed: number
  steps: number
  /** Something broken, from a test. */
  fault?: Fault
}

export interface LoneRun {
  seed: number
  /** The requested steps, and those it took until everything had ended. */
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
const STEPS_TO_COME_TO_REST = 200_000

export function simulateLone({ seed, steps, fault }: LoneOptions): LoneRun {
  const world = new LoneWorld(new Random(seed), fault)
  const weather = new Weather(world)
  let taken = 0
  try {
    for (; taken < steps; taken++) step(world, taken)
    weather.calm()
    for (; !isAtRest(world); taken++) rest(world, taken, steps)
    checkEmpty(world.account)
  } catch (error) {
    throw described(error, seed, steps, taken)
  }
  return result(world, seed, taken)
}

function step({ clock, account }: LoneWorld, taken: number): void {
  clock.advance()
  account.settled()
  checkLate(account)
  if (taken % STEPS_BETWEEN_FULL_CHECKS === 0) checkAll(account)
}

function rest(world: LoneWorld, taken: number, steps: number): void {
  const isLate = taken >= steps + STEPS_TO_COME_TO_REST
  demand(!isLate, () => `${world.clients.size} clients still wait long after everything was well`)
  step(world, taken)
}

function isAtRest({ account }: LoneWorld): boolean {
  return account.jobs.size === 0 && account.attempts.size === 0 && account.nextDeadline === undefined
}

function described(error: unknown, seed: number, steps: number, step: number): Violation {
  const cause = error instanceof Error ? error : new Error(String(error))
  const command = `npm run simulate -- --steps ${steps} --seed ${seed}`
  return new Violation(`Seed ${seed}, step ${step}: ${cause.message}. See it again with: ${command}`, { cause })
}

function result(world: LoneWorld, seed: number, steps: number): LoneRun {
  const { submitted, delivered, outcomes, clock, account, firstEvents } = world
  const hash = world.hash.toString(16).padStart(8, '0')
  const { continued, lateOffers } = account
  const counts = { submitted, delivered, continued, outcomes, hedges: lateOffers.count, firstEvents }
  return { seed, steps, hash, virtualMs: clock.now, ...counts }
}
