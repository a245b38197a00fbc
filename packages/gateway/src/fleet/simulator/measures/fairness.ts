// How tokens are shared when several keys want more of a model than its devices can serve. Jobs differ in size by a factor of a thousand,
// their expected cost is off by up to half, and now and then a single job of another key arrives.

import { Lessor } from '../../slots/core/lessor.ts'
import { LESSOR_LIMITS, type Decision } from '../../slots/core/types.ts'
import type { Ticket } from '../../terms/job.ts'
import type { LeaseOf } from '../../terms/messages.ts'
import { ask } from './ask.ts'
import { Random } from '../random.ts'
import { VirtualClock } from '../virtual-clock.ts'

export interface FairnessResult {
  /** Tokens served to each key that always had jobs waiting. */
  tokens: ReadonlyMap<string, number>
  /** The most jobs of other keys that started while a single job waited. */
  overtaken: number
}

/** Expected tokens of one job, least and most. */
const KEYS: Record<string, [number, number]> = {
  tiny: [5, 30],
  chat: [100, 600],
  batch: [1_000, 3_000],
  choices: [2_000, 8_192],
}
const BACKLOG = 15
const SINGLE = 'single'
export function simulateFairness({ seed, jobs }: { seed: number; jobs: number }): FairnessResult {
  const market = new Market(seed)
  while (market.started < jobs) market.clock.advance()
  return { tokens: market.tokens, overtaken: market.overtaken }
}

class Market {
  readonly clock = new VirtualClock()
  #leases = 0
  readonly #lessor = new Lessor(LESSOR_LIMITS, () => (this.#leases += 1))
  readonly #random: Random
  readonly tokens = new Map<string, number>(Object.keys(KEYS).map((key) => [key, 0]))
  readonly #tickets = new Map<string, Ticket>()
  #submitted = 0
  started = 0
  overtaken = 0
  #startedBeforeSingle = 0

  constructor(seed: number) {
    this.#random = new Random(seed)
    for (const [index, slots] of [1, 2, 5].entries()) this.#link(`device-${index}`, slots)
    for (const key of Object.keys(KEYS)) for (let count = 0; count < BACKLOG; count++) this.#submit(key)
    this.#submitSingle()
  }

  #link(device: string, slots: number): void {
    const models = [{ name: 'small', contextLength: 4096, slots, features: [] }]
    this.#lessor.stated({ device, epoch: 1, edition: 1, models, isDraining: false, taken: [] }, 0)
  }

  #submitSingle(): void {
    this.clock.after(this.#random.between(1, 50_000), () => {
      this.#startedBeforeSingle = this.started
      this.#submit(SINGLE)
    })
  }

  #submit(key: string): void {
    const [least, most] = KEYS[key] ?? [100, 100]
    const cost = this.#random.between(least, most)
    const job = `job-${(this.#submitted += 1)}`
    const ticket = {
      job,
      organization: 'acme',
      key,
      model: 'small',
      features: [],
      rerunnable: false,
      cost,
      promptSize: 0,
      prefixes: [],
    }
    this.#tickets.set(job, ticket)
    this.#lessor.ask('', ask(ticket), this.clock.now)
    this.#settle()
  }

  #settle(): void {
    for (const decision of this.#lessor.decisions.splice(0)) if (decision.type === 'lease') this.#start(decision)
  }

  #start({ lease: { job, device, lease } }: Extract<Decision, { type: 'lease' }>): void {
    const { key, cost } = this.#tickets.get(job)!
    this.started += 1
    if (key === SINGLE) this.overtaken = Math.max(this.overtaken, this.started - this.#startedBeforeSingle - 1)
    const tokens = Math.ceil(cost * (0.5 + this.#random.fraction()))
    this.clock.after(tokens, () => {
      this.#tickets.delete(job)
      this.#end({ device, lease }, key, tokens)
    })
  }

  #end(of: LeaseOf, key: string, tokens: number): void {
    const { now } = this.clock
    const settlement = { key, model: 'small', tokens, kind: 'ended' as const, measured: undefined }
    this.#lessor.settled('', of, settlement, undefined, now)
    this.#lessor.freed(of, now)
    this.#settle()
    if (key === SINGLE) return this.#submitSingle()
    this.tokens.set(key, this.tokens.get(key)! + tokens)
    this.#submit(key)
  }
}
