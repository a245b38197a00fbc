// A lessor for tests: short calls in, decisions out as short strings, and a clock that the test moves.

import type { DeviceModel, Feature } from '@hearth/protocol'
import type { Ask, Ms, Settlement, Ticket } from '../terms/job.ts'
import type { DeviceStatement, LeaseOf } from '../terms/messages.ts'
import type { KnownBudgets } from '../slots/core/budgets.ts'
import { Lessor } from '../slots/core/lessor.ts'
import { LESSOR_LIMITS, type Decision, type Forecast, type LessorLimits } from '../slots/core/types.ts'

type Fields = Partial<Ticket> & Partial<Omit<Ask, 'ticket'>>

export class LessorStage {
  readonly lessor: Lessor
  now: Ms = 1_000
  /** The latest lease of each job. */
  readonly #leases = new Map<string, LeaseOf>()
  readonly #tickets = new Map<string, Ticket>()
  #count = 0

  constructor(limits: Partial<LessorLimits> = {}, budgets?: KnownBudgets) {
    this.lessor = new Lessor({ ...LESSOR_LIMITS, ...limits }, () => (this.#count += 1), budgets)
  }

  ask(job: string, fields: Fields = {}): this {
    const { want = 'slot', isFirst = true, ageMs = 0, waitMs = 120_000, begun, mustContinue = false, ...rest } = fields
    const { avoided, excluded, ...more } = rest
    const ticket: Ticket = { job, organization: 'o', key: 'key', model: 'small', ...PLAIN, ...more }
    this.#tickets.set(job, ticket)
    const ask = { ticket, want, isFirst, ageMs, waitMs, begun, mustContinue, avoided, excluded }
    this.lessor.ask('front', ask, this.now)
    return this
  }

  up(device: string, slots = 1, features: Feature[] = []): this {
    return this.announce(device, model('small', slots, features))
  }

  state(device: string, fields: Partial<DeviceStatement>): this {
    const usual = { epoch: 1, edition: 1, models: [model('small')], isDraining: false, taken: [] }
    this.lessor.stated({ device, ...usual, ...fields }, this.now)
    return this
  }

  announce(device: string, ...models: DeviceModel[]): this {
    return this.state(device, { models })
  }

  down(device: string): this {
    this.lessor.deviceDown(device, 1, this.now)
    return this
  }

  answer(job: string): this {
    this.lessor.answered(this.leaseOf(job), this.now)
    return this
  }

  late(...jobs: string[]): this {
    this.lessor.late(
      jobs.map((job) => this.leaseOf(job)),
      this.now,
    )
    return this
  }

  settle(job: string, fields: Partial<Settlement> = {}, again?: Ask): this {
    const of = this.leaseOf(job)
    const { key, model: name } = this.#tickets.get(job)!
    const settlement = { key, model: name, tokens: 0, kind: 'ended' as const, measured: undefined, ...fields }
    this.lessor.settled('front', of, settlement, again, this.now)
    return this
  }

  settleAndAsk(job: string, fields: Partial<Settlement>): this {
    const rest = { begun: undefined, mustContinue: false, avoided: undefined, excluded: undefined }
    const ticket = this.#tickets.get(job)!
    return this.settle(job, fields, { ticket, want: 'slot', isFirst: false, ageMs: 1, waitMs: 120_000, ...rest })
  }

  free(job: string): this {
    this.lessor.freed(this.leaseOf(job), this.now)
    return this
  }

  /** Moves the clock, with a tick at every deadline on the way. */
  pass(ms: Ms): this {
    const until = this.now + ms
    const { lessor } = this
    for (let next = lessor.nextDeadline(); next !== undefined && next <= until; next = lessor.nextDeadline()) {
      this.now = Math.max(this.now, next)
      lessor.tick(this.now)
    }
    this.now = until
    return this
  }

  forecast(job: string): Forecast | undefined {
    return new Map(this.lessor.forecasts(this.#tickets.get(job)!.key, this.now)).get(job)
  }

  leaseOf(job: string): LeaseOf {
    this.#note()
    return this.#leases.get(job)!
  }

  /** Decisions since the last call, and then doubts. */
  take(): string[] {
    this.#note()
    const doubts = this.lessor.doubts.splice(0).map(({ id }) => `doubt ${id}`)
    return [...this.lessor.decisions.splice(0).map(describe), ...doubts]
  }

  #note(): void {
    for (const decision of this.lessor.decisions)
      if (decision.type === 'lease') this.#leases.set(decision.lease.job, decision.lease)
  }
}

const PLAIN = { features: [], rerunnable: false, cost: 100, promptSize: 1_000, prefixes: [] }

export function model(name: string, slots = 1, features: Feature[] = []): DeviceModel {
  return { name, contextLength: 4_096, slots, features }
}

function describe(decision: Decision): string {
  if (decision.type === 'decline') return `decline ${decision.job}: ${decision.outcome.kind}`
  const { job, device, isContinued } = decision.lease
  return `${device} for ${job}${isContinued ? ', continued' : ''}`
}
