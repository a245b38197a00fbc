// The scheduler of an organization with one model, on a virtual clock, so that what it decides can be measured.

import { Scheduler } from '../../scheduler/core/scheduler.ts'
import type { SchedulerLimits } from '../../scheduler/core/types.ts'
import type { Settlement, Ticket } from '../../terms/job.ts'
import type { LeaseOf } from '../../terms/messages.ts'
import type { DeviceModel } from '@hearth/protocol'
import { VirtualClock } from '../virtual-clock.ts'

const MODEL = 'small'
/** Jobs wait as long as it takes. */
const WAIT_MS = 1e12

type Wish = Pick<Ticket, 'key' | 'cost' | 'promptSize' | 'answerLimit'> &
  Partial<Pick<Ticket, 'rerunnable' | 'prefixes'>>

export class Market {
  readonly clock = new VirtualClock()
  readonly scheduler: Scheduler
  readonly #leased: (ticket: Ticket, of: LeaseOf) => void
  readonly #tickets = new Map<string, Ticket>()
  #leases = 0
  #submitted = 0

  /** Calls `leased` for each job that gets a slot. */
  constructor(limits: SchedulerLimits, leased: (ticket: Ticket, of: LeaseOf) => void) {
    this.scheduler = new Scheduler(limits, () => (this.#leases += 1))
    this.#leased = leased
  }

  report(device: string, offered: Pick<DeviceModel, 'slots' | 'state' | 'loadMs'>): void {
    const models = [{ name: MODEL, contextLength: 100_000, features: [], ...offered }]
    this.scheduler.reported({ device, epoch: 1, edition: 1, models, isDraining: false, taken: [] }, this.clock.now)
    this.settle()
  }

  /** What it decides is carried out by `settle`. */
  request(wish: Wish): Ticket {
    const job = `job-${(this.#submitted += 1)}`
    const ticket = { job, organization: 'acme', model: MODEL, features: [], rerunnable: false, prefixes: [], ...wish }
    this.#tickets.set(job, ticket)
    const kept = { begun: undefined, mustContinue: false, avoided: undefined, excluded: undefined }
    this.scheduler.request(
      '',
      { ticket, want: 'slot', isFirst: true, ageMs: 0, waitMs: WAIT_MS, ...kept },
      this.clock.now,
    )
    return ticket
  }

  accepted(of: LeaseOf): void {
    this.scheduler.accepted(of, this.clock.now)
    this.settle()
  }

  ended({ job, key, model }: Ticket, of: LeaseOf, tokens: number, measured?: Settlement['measured']): void {
    const { now } = this.clock
    this.#tickets.delete(job)
    this.scheduler.settle('', of, { key, model, tokens, kind: 'ended', measured }, undefined, now)
    this.scheduler.freed(of, now)
    this.settle()
  }

  /** Jumps to the next happening, or to the next deadline of the scheduler. */
  step(): void {
    const { clock, scheduler } = this
    const deadline = scheduler.nextDeadline()
    if (deadline === undefined || deadline > clock.next) return clock.advance()
    clock.now = Math.max(clock.now, deadline)
    scheduler.tick(clock.now)
    this.settle()
  }

  settle(): void {
    for (const decision of this.scheduler.decisions.splice(0))
      if (decision.type === 'lease') this.#leased(this.#tickets.get(decision.lease.job)!, decision.lease)
  }
}
