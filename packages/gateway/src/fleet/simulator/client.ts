// A client of the service. It knows what it has to get: all numbers from 0, each once and in order, and then one end.

import { demand } from './violation.ts'
import type { Failed, JobHandle, Reply } from '../fleet.ts'
import { LIMITS, type Replica } from './replica.ts'
import type { World } from './world.ts'

/** Clocks run at slightly different speeds. */
const TOLERANCE = 0.9

export class Client implements Reply {
  readonly job: string
  readonly replica: Replica
  readonly #world: World
  readonly #total: number
  readonly #rerunnable: boolean
  readonly #since: number
  #handle: JobHandle | undefined
  #received = 0
  #isPlaced = false
  outcome: string | undefined

  constructor(world: World, replica: Replica, job: string, organization: string) {
    const { random } = world
    this.#world = world
    this.replica = replica
    this.job = job
    this.#total = random.between(1, 30)
    this.#rerunnable = random.chance(0.4)
    this.#since = world.clock.now
    const ticket = {
      job,
      organization,
      key: `key-${random.between(1, 2)}`,
      model: 'm',
      features: [],
      rerunnable: this.#rerunnable,
      cost: this.#total,
      promptSize: 5,
      prefixes: [],
    }
    const request = { model: 'm', messages: [{ role: 'user', content: String(this.#total) }] }
    replica.live(() => {
      this.#handle = replica.fleet.submit(ticket, { text: JSON.stringify(request), choices: 1 }, this)
    })
  }

  get isOver(): boolean {
    return this.outcome !== undefined || this.replica.isDead
  }

  leave(): void {
    if (this.isOver) return
    this.replica.live(() => {
      if (this.isOver) return
      this.outcome = 'left'
      this.#handle?.cancel('client-gone')
    })
  }

  /** It reads slowly. */
  pause(ms: number): void {
    if (this.isOver) return
    this.replica.live(() => this.#handle?.pause())
    this.#world.clock.after(ms, () => this.replica.live(() => this.#handle?.resume()))
  }

  placed(): void {
    this.#demand(!this.#isPlaced, 'is placed twice')
    this.#isPlaced = true
  }

  text(_choice: number, text: string): void {
    this.#demand(this.outcome === undefined, `gets "${text}" after its end`)
    this.#demand(text === `${this.#received} `, `gets "${text}" instead of "${this.#received} "`)
    this.#received += 1
    this.#world.delivered += 1
  }

  toolCalls(): void {}

  annotations(): void {}

  restart(): void {
    this.#demand(this.#rerunnable, 'starts over although its client has a part of it')
    this.#received = 0
  }

  end(): void {
    this.#demand(this.outcome === undefined, 'ends twice')
    this.#demand(this.#received === this.#total, `ends after ${this.#received} of ${this.#total}`)
    this.#over('ended')
  }

  fail(outcome: Failed): void {
    this.#demand(this.outcome === undefined, `ends twice, now as ${outcome.kind}`)
    this.#demand(outcome.kind !== 'timed-out', 'hung on a device')
    this.#demand(!this.#world.isOrderly, `fails: ${outcome.kind}`)
    const waited = this.#world.clock.now - this.#since
    const isEarly = outcome.kind === 'no-device' && waited < LIMITS.waitMs! * TOLERANCE
    this.#demand(!isEarly, `was given up after ${waited} ms`)
    this.#over(outcome.kind)
  }

  #over(how: string): void {
    this.outcome = how
    this.#world.ended(this.job, how)
  }

  #demand(holds: boolean, what: string): void {
    if (!holds) this.#world.say(`${this.job} ${what}`)
    demand(holds, () => `${this.job} ${what}`)
  }
}
