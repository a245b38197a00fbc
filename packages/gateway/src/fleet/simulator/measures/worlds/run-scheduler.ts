// What the scheduler makes of a fleet: it learns how fast the devices are from what they measured, and knows nothing of the length of answers.

import { SCHEDULER_LIMITS } from '../../../scheduler/core/types.ts'
import type { Ticket } from '../../../terms/job.ts'
import type { LeaseOf } from '../../../terms/messages.ts'
import { Market } from '../market.ts'
import { SimulatedMachine, type PlacedRequest } from './simulated-machine.ts'
import type { World, WorldRequest } from './worlds.ts'

const LIMITS = { ...SCHEDULER_LIMITS, queuePerKey: 1e6, queuePerOrganization: 1e6 }
/** Tokens of an answer that nobody has asked to be short. */
const USUAL_TOKENS = 256

/** All requests, in the order in which they arrived, with when they ended and where. */
export function runScheduler({ devices }: World, requests: readonly WorldRequest[]): PlacedRequest[] {
  const run = new SchedulerRun(devices)
  for (const request of requests) run.arrive(request)
  run.pass(Number.POSITIVE_INFINITY)
  return run.requests
}

interface Leased {
  placed: PlacedRequest
  ticket: Ticket
  of: LeaseOf
  startedAt: number
}

class SchedulerRun {
  readonly requests: PlacedRequest[] = []
  readonly #devices: readonly SimulatedMachine[]
  readonly #market = new Market(LIMITS, (ticket, of) => this.#start(ticket, of))
  readonly #asked = new Map<string, PlacedRequest>()
  #leased: Leased[] = []

  constructor(devices: World['devices']) {
    this.#devices = devices.map((device) => new SimulatedMachine(device))
    for (const [place, { slots }] of devices.entries()) this.#market.report(String(place), { slots })
  }

  arrive(request: WorldRequest): void {
    this.pass(request.at)
    this.#moveTo(request.at)
    const { promptSize, prefixes } = request
    const placed = { request }
    this.requests.push(placed)
    const ticket = this.#market.request({ key: 'key', cost: promptSize / 4 + USUAL_TOKENS, promptSize, prefixes })
    this.#asked.set(ticket.job, placed)
    this.#market.settle()
  }

  /** Everything that happens until then. */
  pass(until: number): void {
    const { scheduler, clock } = this.#market
    for (;;) {
      const deadline = scheduler.nextDeadline() ?? Number.POSITIVE_INFINITY
      const isAnyoneThere = this.#asked.size > 0 || this.#leased.length > 0
      const next = Math.min(deadline, ...this.#devices.map((device) => device.next))
      if (!isAnyoneThere || next > until) return
      this.#moveTo(Math.max(next, clock.now))
      for (const one of this.#leased.filter(({ placed }) => placed.endAt !== undefined)) this.#end(one)
      if (deadline <= clock.now) scheduler.tick(clock.now)
      this.#market.settle()
    }
  }

  #moveTo(now: number): void {
    this.#market.clock.now = now
    for (const device of this.#devices) device.pass(now)
  }

  #start(ticket: Ticket, of: LeaseOf): void {
    const placed = this.#asked.get(ticket.job)!
    this.#asked.delete(ticket.job)
    placed.device = Number(of.device)
    this.#devices[placed.device]!.add(placed)
    this.#leased.push({ placed, ticket, of, startedAt: this.#market.clock.now })
    this.#market.accepted(of)
  }

  #end(leased: Leased): void {
    const { placed, ticket, of, startedAt } = leased
    const { request, firstAt = 0, endAt = 0 } = placed
    this.#leased.splice(this.#leased.indexOf(leased), 1)
    const measured = { readMs: firstAt - startedAt, answerMs: endAt - firstAt, tokens: request.tokens }
    this.#market.ended(ticket, of, Math.ceil(request.promptSize / 4) + request.tokens, measured)
  }
}
