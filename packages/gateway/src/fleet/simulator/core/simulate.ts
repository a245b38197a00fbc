// Runs the scheduler in a random world and stops at the first broken promise.

import { SchedulerCore } from '../../scheduler/core/scheduler-core.ts'
import type { SchedulerLimits } from '../../scheduler/core/types.ts'
import { Chaos } from './chaos.ts'
import { checkEmpty, checkLate, checkWorld } from './checks.ts'
import { Random } from '../random.ts'
import { demand, Violation } from '../violation.ts'
import { World } from './world.ts'

export interface SimulationOptions {
  seed: number
  steps: number
  /** The scheduler to simulate. Tests pass in broken ones. */
  createCore?: (limits: SchedulerLimits) => SchedulerCore
}

export interface Simulation {
  seed: number
  /** The requested steps, and those it took until everything had ended. */
  steps: number
  /** Hash of every decision and delivery, in order: the same seed gives the same hash. */
  hash: string
  virtualMs: number
  submitted: number
  delivered: number
  outcomes: ReadonlyMap<string, number>
  /** Jobs that were offered to a second device, and those that it accepted first. */
  hedges: { offered: number; won: number }
  /** Attempts that continued a reply. */
  continued: number
}

/** Small, so that every limit is reached often. */
const LIMITS: SchedulerLimits = {
  waitMs: 12_000,
  patienceMs: 700,
  acceptMs: 400,
  hedgeMs: 80,
  firstEventMs: 3_000,
  gapMs: 1_500,
  totalMs: 9_000,
  returnMs: 600,
  cancelMs: 200,
  queuePerKey: 12,
  queuePerOrganization: 30,
  attempts: 3,
  crashes: 2,
  // Time passes fast here, and samples change no decision: a few are enough.
  sampleMs: 60_000,
}

const STEPS_BETWEEN_FULL_CHECKS = 1_024
const STEPS_TO_COME_TO_REST = 200_000

export function simulate({
  seed,
  steps,
  createCore = (limits) => new SchedulerCore(limits),
}: SimulationOptions): Simulation {
  const world = new World(createCore(LIMITS), new Random(seed), LIMITS)
  const chaos = new Chaos(world)
  let taken = 0
  try {
    for (; taken < steps; taken++) step(world, taken)
    chaos.calm()
    for (; !isAtRest(world); taken++) rest(world, taken, steps)
    checkEmpty(world)
  } catch (error) {
    throw described(error, seed, steps, taken)
  }
  return result(world, seed, taken)
}

function step(world: World, taken: number): void {
  const deadline = world.core.nextDeadline()
  if (deadline !== undefined && deadline <= world.clock.next) world.tick()
  else world.clock.advance()
  checkLate(world)
  if (taken % STEPS_BETWEEN_FULL_CHECKS === 0) checkWorld(world)
}

function rest(world: World, taken: number, steps: number): void {
  demand(
    taken < steps + STEPS_TO_COME_TO_REST,
    () => `${world.clients.size} clients still wait long after everything was well`,
  )
  step(world, taken)
}

function isAtRest(world: World): boolean {
  return world.clock.next === Number.POSITIVE_INFINITY && world.core.nextDeadline() === undefined
}

function described(error: unknown, seed: number, steps: number, step: number): Violation {
  const cause = error instanceof Error ? error : new Error(String(error))
  const command = `npm run simulate -- --steps ${steps} --seed ${seed}`
  return new Violation(`Seed ${seed}, step ${step}: ${cause.message}. See it again with: ${command}`, { cause })
}

function result(world: World, seed: number, steps: number): Simulation {
  const { submitted, delivered, continued, outcomes, now } = world
  const hash = world.hash.toString(16).padStart(8, '0')
  return {
    seed,
    steps,
    hash,
    virtualMs: now,
    submitted,
    delivered,
    continued,
    outcomes,
    hedges: world.lateOffers.count,
  }
}
