// Schedules one organization: tells the pure scheduler of `core/` what jobs and hubs say, and passes its decisions on to them.

import type { Clock } from '../../time/clock.ts'
import { WakeTimer } from '../../time/wake-timer.ts'
import type { Scheduler } from './core/scheduler.ts'
import type { SchedulerStats } from './core/stats.ts'
import type { Decision } from './core/types.ts'
import { TakeOvers } from '../terms/take-overs.ts'
import type { DeviceHubPort } from '../ports/device-hub-port.ts'
import type { Gateways } from '../ports/gateways.ts'
import type { Settlement, SlotRequest } from '../terms/job.ts'
import type { JobForecast, LeaseOf, SlotReport } from '../terms/messages.ts'

export interface OrganizationSchedulerOptions {
  gateways: Gateways
  organization: string
  scheduler: Scheduler
  clock: Clock
  /** Of the newest view in which somebody took this gateway for the scheduler. */
  generation: number
  /** Asked before every lease: a gateway whose leadership ran out decides nothing. */
  mayLease: () => boolean
  onServed: (models: readonly string[]) => void
}

export class OrganizationScheduler {
  readonly since: number
  readonly generation: number
  readonly #options: OrganizationSchedulerOptions
  readonly #scheduler: Scheduler
  readonly #takeOvers = new TakeOvers()
  readonly #timer: WakeTimer
  /** Every gateway has said what it knows of the organization, or is not waited for. */
  isOpen = false
  #isDeciding = false
  /** The models that take jobs, as last told. */
  readonly #served = new Set<string>()

  constructor(options: OrganizationSchedulerOptions) {
    this.since = options.clock.now()
    this.generation = options.generation
    this.#options = options
    this.#scheduler = options.scheduler
    this.#timer = new WakeTimer(options.clock, () => this.#do((now) => this.#scheduler.tick(now)))
    this.#scheduler.gather()
  }

  /** There is nothing to remember. */
  get isIdle(): boolean {
    return this.#scheduler.waiting === 0 && this.#scheduler.devices.size === 0
  }

  get served(): readonly string[] {
    return [...this.#served]
  }

  stats(): SchedulerStats {
    return this.#scheduler.stats(this.#options.clock.now())
  }

  forecasts(key: string): JobForecast[] {
    return [...this.#scheduler.forecasts(key, this.#options.clock.now())].map(([job, forecast]) => ({
      job,
      ...forecast,
    }))
  }

  open(): void {
    this.isOpen = true
    this.#do((now) => this.#scheduler.open(now))
  }

  /** Continues if it stopped because its leadership had run out. */
  resume(): void {
    if (this.isOpen && this.#scheduler.isHeld) this.#do((now) => this.#scheduler.serve(now))
  }

  close(): void {
    this.#timer.stop()
  }

  // What jobs say.

  request(request: SlotRequest, from: string): void {
    // A job that reaches another organization can't be taken back.
    if (request.ticket.organization === this.#options.organization)
      this.#do((now) => this.#scheduler.request(from, request, now))
  }

  withdraw(job: string): void {
    this.#do((now) => this.#scheduler.withdraw(job, now))
  }

  accepted(of: LeaseOf): void {
    this.#do((now) => this.#scheduler.accepted(of, now))
  }

  late(leases: readonly LeaseOf[]): void {
    this.#do((now) => this.#scheduler.late(leases, now))
  }

  settle(of: LeaseOf, settlement: Settlement, again: SlotRequest | undefined, from: string): void {
    this.#do((now) => this.#scheduler.settle(from, of, settlement, again, now))
  }

  // What the hubs of devices say.

  report(report: SlotReport, from: string): void {
    this.#changeModels(report.device, (now) => this.#reported(from, report, now))
  }

  deviceDown(device: string, epoch: number): void {
    this.#changeModels(device, (now) => this.#scheduler.deviceDown(device, epoch, now))
  }

  freed(of: LeaseOf): void {
    this.#do((now) => this.#scheduler.freed(of, now))
  }

  #changeModels(device: string, change: (now: number) => void): void {
    const before = this.#modelsOf(device)
    this.#do(change)
    this.#tellServed([...before, ...this.#modelsOf(device)])
  }

  #modelsOf(device: string): string[] {
    return [...(this.#scheduler.devices.current(device)?.served.keys() ?? [])]
  }

  /** The gateway can't be reached: what it asked for and what its devices offer counts when it says it again. */
  cutOff(peer: string): void {
    this.#do((now) => {
      this.#scheduler.hubAway(peer)
      this.#scheduler.forgetFront(peer, now)
    })
  }

  /** The gateway has said all that it knows. */
  syncDone(peer: string): void {
    this.#do((now) => this.#scheduler.hubSynced(peer, now))
    this.#tellServed(new Set([...this.#served, ...this.#scheduler.models()]))
  }

  #reported(hub: string, report: SlotReport, now: number): void {
    const { device, epoch, boot, address } = report
    const known = this.#scheduler.devices.current(device)
    if (known !== undefined && known.epoch > epoch) return this.#hub(hub).superseded(device, epoch)
    // A hub decides on its own which link stays if both are its own.
    const old = known?.hub === hub ? undefined : known
    this.#takeOvers.tidy(now)
    if (old !== undefined && !this.#takeOvers.allow({ device, holder: old.boot, boot, address }, now)) {
      this.#hub(hub).inUse(device, epoch)
      return this.#hub(old.hub).contested(device, old.epoch, address)
    }
    this.#scheduler.reported({ ...report, hub }, now)
    // Last: if the old link is at this gateway, it goes down at once, and must find the new one in its place.
    if (old !== undefined) this.#hub(old.hub).superseded(device, old.epoch)
  }

  #hub(gateway: string): DeviceHubPort {
    return this.#options.gateways.of(gateway).hub
  }

  /** Looks only at the models that may have changed: devices report often, and an organization may have many of both. */
  #tellServed(models: Iterable<string>): void {
    let isNew = false
    for (const model of models) {
      const isServed = this.#scheduler.serves(model)
      if (isServed === this.#served.has(model)) continue
      isNew = true
      if (isServed) this.#served.add(model)
      else this.#served.delete(model)
    }
    if (isNew) this.#options.onServed(this.served)
  }

  #do(action: (now: number) => void): void {
    const { clock, mayLease } = this.#options
    this.#scheduler.isHeld = !this.isOpen || !mayLease()
    action(clock.now())
    this.#carryOut()
    this.#timer.wakeBy(this.#scheduler.nextDeadline())
  }

  // Carrying out a decision may lead to others, such as a lease on a link that just closed. The outermost call handles them all.
  #carryOut(): void {
    if (this.#isDeciding) return
    this.#isDeciding = true
    const { decisions, reportsWanted } = this.#scheduler
    try {
      for (const decision of decisions) this.#tell(decision)
    } finally {
      decisions.length = 0
      this.#isDeciding = false
    }
    // After the leases: those that are not with their hub by then are void.
    if (reportsWanted.length > 0)
      for (const { id, epoch, hub } of reportsWanted.splice(0)) this.#hub(hub).reportWanted(id, epoch)
  }

  #tell(decision: Decision): void {
    const { organization, gateways } = this.#options
    const { jobs } = gateways.of(decision.front)
    if (decision.type === 'decline') return jobs.decline(organization, decision.job, decision.outcome, gateways.self)
    const { lease } = decision
    // If the link is gone since, so is the lease: the front asks again, because it can't reach the hub.
    if (this.#scheduler.devices.find(lease.device, lease.epoch) === undefined) lease.hub = ''
    jobs.lease(organization, lease, gateways.self)
  }
}
