// A scheduler for tests: short calls in, decisions out as short strings, and a clock that the test moves.

import type { DeviceModel, Feature } from '@hearth/protocol'
import type { SlotRequest, Ms, Settlement, Ticket } from '../terms/job.ts'
import type { SlotReport, LeaseOf } from '../terms/messages.ts'
import type { KnownBudgets } from '../scheduler/core/budgets.ts'
import { Scheduler } from '../scheduler/core/scheduler.ts'
import { SCHEDULER_LIMITS, type Decision, type Forecast, type SchedulerLimits } from '../scheduler/core/types.ts'

type Fields = Partial<Ticket> & Partial<Omit<SlotRequest, 'ticket'>>

export class SchedulerStage {
  readonly scheduler: Scheduler
  now: Ms = 1_000
  /** The latest lease of each job. */
  readonly #leases = new Map<string, LeaseOf>()
  readonly #tickets = new Map<string, Ticket>()
  #count = 0

  constructor(limits: Partial<SchedulerLimits> = {}, budgets?: KnownBudgets) {
    this.scheduler = new Scheduler({ ...SCHEDULER_LIMITS, ...limits }, () => (this.#count += 1), budgets)
  }

  request(job: string, fields: Fields = {}): this {
    const { want = 'slot', isFirst = true, ageMs = 0, waitMs = 120_000, begun, mustContinue = false, ...rest } = fields
    const { avoided, excluded, ...more } = rest
    const ticket: Ticket = { job, organization: 'o', key: 'key', model: 'small', ...PLAIN, ...more }
    this.#tickets.set(job, ticket)
    const request = { ticket, want, isFirst, ageMs, waitMs, begun, mustContinue, avoided, excluded }
    this.scheduler.request('front', request, this.now)
    return this
  }

  up(device: string, slots = 1, features: Feature[] = []): this {
    return this.announce(device, model('small', slots, features))
  }

  report(device: string, fields: Partial<SlotReport>): this {
    const usual = { epoch: 1, edition: 1, models: [model('small')], isDraining: false, taken: [] }
    this.scheduler.reported({ device, ...usual, ...fields }, this.now)
    return this
  }

  announce(device: string, ...models: DeviceModel[]): this {
    return this.report(device, { models })
  }

  down(device: string): this {
    this.scheduler.deviceDown(device, 1, this.now)
    return this
  }

  accept(job: string): this {
    this.scheduler.accepted(this.leaseOf(job), this.now)
    return this
  }

  late(...jobs: string[]): this {
    this.scheduler.late(
      jobs.map((job) => this.leaseOf(job)),
      this.now,
    )
    return this
  }

  settle(job: string, fields: Partial<Settlement> = {}, again?: SlotRequest): this {
    const of = this.leaseOf(job)
    const { key, model: name } = this.#tickets.get(job)!
    const settlement = { key, model: name, tokens: 0, kind: 'ended' as const, measured: undefined, ...fields }
    this.scheduler.settle('front', of, settlement, again, this.now)
    return this
  }

  settleAndRequest(job: string, fields: Partial<Settlement>): this {
    const rest = { begun: undefined, mustContinue: false, avoided: undefined, excluded: undefined }
    const ticket = this.#tickets.get(job)!
    return this.settle(job, fields, { ticket, want: 'slot', isFirst: false, ageMs: 1, waitMs: 120_000, ...rest })
  }

  free(job: string): this {
    this.scheduler.freed(this.leaseOf(job), this.now)
    return this
  }

  /** Moves the clock, with a tick at every deadline on the way. */
  pass(ms: Ms): this {
    const until = this.now + ms
    const { scheduler } = this
    for (let next = scheduler.nextDeadline(); next !== undefined && next <= until; next = scheduler.nextDeadline()) {
      this.now = Math.max(this.now, next)
      scheduler.tick(this.now)
    }
    this.now = until
    return this
  }

  forecast(job: string): Forecast | undefined {
    return new Map(this.scheduler.forecasts(this.#tickets.get(job)!.key, this.now)).get(job)
  }

  leaseOf(job: string): LeaseOf {
    this.#note()
    return this.#leases.get(job)!
  }

  /** Decisions since the last call, and then the devices whose hubs have to report again. */
  take(): string[] {
    this.#note()
    const wanted = this.scheduler.reportsWanted.splice(0).map(({ id }) => `report of ${id} wanted`)
    return [...this.scheduler.decisions.splice(0).map(describe), ...wanted]
  }

  #note(): void {
    for (const decision of this.scheduler.decisions)
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
