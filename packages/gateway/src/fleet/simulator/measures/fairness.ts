// How tokens are shared when several keys want more of a model than its devices can serve. Jobs differ in size by a factor of a thousand,
// their expected cost is off by up to half, and now and then a single job of another key arrives.

import { SCHEDULER_LIMITS } from '../../scheduler/core/types.ts'
import type { Ticket } from '../../terms/job.ts'
import type { LeaseOf } from '../../terms/messages.ts'
import { Random } from '../random.ts'
import { Market } from './market.ts'

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
  const rush = new Rush(seed)
  while (rush.started < jobs) rush.clock.advance()
  return { tokens: rush.tokens, overtaken: rush.overtaken }
}

/** More than the devices can do. */
class Rush {
  readonly #market = new Market(SCHEDULER_LIMITS, (ticket, of) => this.#start(ticket, of))
  readonly #random: Random
  readonly tokens = new Map<string, number>(Object.keys(KEYS).map((key) => [key, 0]))
  started = 0
  overtaken = 0
  #startedBeforeSingle = 0

  constructor(seed: number) {
    this.#random = new Random(seed)
    for (const [index, slots] of [1, 2, 5].entries()) this.#market.report(`device-${index}`, { slots })
    for (const key of Object.keys(KEYS)) for (let count = 0; count < BACKLOG; count++) this.#submit(key)
    this.#submitSingle()
  }

  get clock(): Market['clock'] {
    return this.#market.clock
  }

  #submitSingle(): void {
    this.clock.after(this.#random.between(1, 50_000), () => {
      this.#startedBeforeSingle = this.started
      this.#submit(SINGLE)
    })
  }

  #submit(key: string): void {
    const [least, most] = KEYS[key] ?? [100, 100]
    this.#market.request({ key, cost: this.#random.between(least, most), promptSize: 0 })
    this.#market.settle()
  }

  #start(ticket: Ticket, of: LeaseOf): void {
    const { key, cost } = ticket
    this.started += 1
    if (key === SINGLE) this.overtaken = Math.max(this.overtaken, this.started - this.#startedBeforeSingle - 1)
    const tokens = Math.ceil(cost * (0.5 + this.#random.fraction()))
    this.clock.after(tokens, () => {
      this.#market.ended(ticket, of, tokens)
      if (key === SINGLE) return this.#submitSingle()
      this.tokens.set(key, this.tokens.get(key)! + tokens)
      this.#submit(key)
    })
  }
}
