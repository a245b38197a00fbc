// The organizations whose slots this gateway leases. One that it takes over is opened when all gateways have said what they
// know of it, so that no waiting job loses its place.

import type { Clock } from '../../time/clock.ts'
import type { KnownBudgets } from './core/budgets.ts'
import { Scheduler } from './core/scheduler.ts'
import { sum, type SchedulerStats } from './core/stats.ts'
import type { SchedulerLimits } from './core/types.ts'
import type { Peers } from '../peers/peers.ts'
import { OrganizationScheduler } from './organization-scheduler.ts'
import type { Gateways } from '../ports/gateways.ts'
import type { SchedulerPort } from '../ports/scheduler-port.ts'
import type { Settlement, SlotRequest } from '../terms/job.ts'
import type { JobForecast, LeaseOf, SlotReport } from '../terms/messages.ts'

export interface SchedulersOptions {
  peers: Peers
  gateways: Gateways
  /** These models of an organization take jobs now. */
  onServed: (organization: string, models: readonly string[]) => void
  limits: SchedulerLimits
  tokenBudgets?: KnownBudgets | undefined
  clock: Clock
}

/** The scheduler waits this long for a gateway that it can't reach, and not at all if all agree that it is cut off. */
const GATHERING_MS = 5_000
/** Leases of one generation of peers: numbers of different schedulers never meet. */
const LEASES_PER_TERM = 2 ** 32

export class Schedulers implements SchedulerPort {
  readonly #options: SchedulersOptions
  readonly #schedulers = new Map<string, OrganizationScheduler>()
  /** The generation up to which each gateway has said everything. */
  readonly #synced = new Map<string, number>()
  /** The newest view that each gateway has spoken under. */
  readonly #views = new Map<string, number>()
  /** It was one of the peers when they last changed. */
  #hadJoined: boolean
  #takenOver = 0
  #leases = 0

  constructor(options: SchedulersOptions) {
    this.#options = options
    this.#hadJoined = options.peers.view.all.length > 0
  }

  leasing() {
    return {
      /** Those that this gateway leases for. */
      organizations: sum([...this.#schedulers.values()], ({ isOpen }) => Number(isOpen)),
      /** Those that it took over from another gateway, since the start. */
      takenOver: this.#takenOver,
    }
  }

  /** By organization. */
  stats(): Map<string, SchedulerStats> {
    return new Map([...this.#schedulers].map(([organization, scheduler]) => [organization, scheduler.stats()]))
  }

  statsOf(organization: string): SchedulerStats | undefined {
    return this.#schedulers.get(organization)?.stats()
  }

  has(organization: string): boolean {
    return this.#schedulers.has(organization)
  }

  /** Of the jobs of a key that wait here. */
  forecasts(key: string): JobForecast[] {
    return [...this.#schedulers.values()].flatMap((scheduler) => scheduler.forecasts(key))
  }

  /** The models that take jobs, by organization. */
  *served(): Generator<readonly [organization: string, models: readonly string[]]> {
    for (const [organization, scheduler] of this.#schedulers) yield [organization, scheduler.served]
  }

  request(organization: string, request: SlotRequest, from: string): void {
    this.of(organization, from)?.request(request, from)
    this.#forgetIdle(organization)
  }

  withdraw(organization: string, job: string, from: string): void {
    this.of(organization, from)?.withdraw(job)
    this.#forgetIdle(organization)
  }

  accepted(organization: string, lease: LeaseOf, from: string): void {
    this.of(organization, from)?.accepted(lease)
    this.#forgetIdle(organization)
  }

  late(organization: string, leases: readonly LeaseOf[], from: string): void {
    this.of(organization, from)?.late(leases)
    this.#forgetIdle(organization)
  }

  settle(
    organization: string,
    lease: LeaseOf,
    settlement: Settlement,
    again: SlotRequest | undefined,
    from: string,
  ): void {
    this.of(organization, from)?.settle(lease, settlement, again, from)
    this.#forgetIdle(organization)
  }

  report(organization: string, report: SlotReport, from: string): void {
    this.of(organization, from)?.report(report, from)
    this.#forgetIdle(organization)
  }

  deviceDown(organization: string, device: string, epoch: number, from: string): void {
    this.of(organization, from)?.deviceDown(device, epoch)
    this.#forgetIdle(organization)
  }

  freed(organization: string, lease: LeaseOf, from: string): void {
    this.of(organization, from)?.freed(lease)
    this.#forgetIdle(organization)
  }

  /** Undefined if what the gateway says is for another scheduler. */
  of(organization: string, from: string): OrganizationScheduler | undefined {
    return this.#schedulers.get(organization) ?? this.#create(organization, from)
  }

  #forgetIdle(organization: string): void {
    if (this.#schedulers.get(organization)?.isIdle === true) this.#drop(organization)
  }

  /** The gateway speaks under this view from now on. */
  syncStarted(generation: number, from: string): void {
    this.#views.set(from, generation)
  }

  /** The gateway has said everything that it knows, as of this generation. */
  syncDone(generation: number, from: string): void {
    this.#synced.set(from, generation)
    this.#each((scheduler) => scheduler.syncDone(from))
    this.openReady()
  }

  /**
   * The peers have changed: stops what it no longer leases. Those that are gone take their jobs and devices with them. Others may learn before
   * this gateway does that it has joined, and what they have said by then waits. What it heard before it was removed is forgotten.
   */
  peersChanged(gone: readonly string[]): void {
    const { peers } = this.#options
    const hasJoined = peers.view.all.length > 0
    const isRemoved = this.#hadJoined && !hasJoined
    this.#hadJoined = hasJoined
    for (const [organization, { isOpen, generation }] of this.#schedulers) {
      const isExpected = !isOpen && !isRemoved && generation > peers.view.generation
      if (!this.#isMine(organization) && !isExpected) this.#drop(organization)
    }
    for (const peer of gone) this.lost(peer)
    this.openReady()
  }

  /** Opens the organizations that are ready, and continues those that waited for leadership. */
  openReady(): void {
    for (const [organization, scheduler] of this.#schedulers)
      if (scheduler.isOpen) scheduler.resume()
      else if (this.#isReady(organization, scheduler.since)) {
        this.#takenOver += 1
        scheduler.open()
      }
  }

  close(): void {
    for (const scheduler of this.#schedulers.values()) scheduler.close()
    this.#schedulers.clear()
  }

  /** The link to the gateway is broken: it says everything again when it is back. */
  cutOff(peer: string): void {
    this.#each((scheduler) => scheduler.cutOff(peer))
  }

  /** The gateway is gone, with its jobs and devices. */
  lost(peer: string): void {
    this.#synced.delete(peer)
    this.#views.delete(peer)
    this.#each((scheduler) => {
      scheduler.cutOff(peer)
      scheduler.syncDone(peer)
    })
  }

  #each(action: (scheduler: OrganizationScheduler) => void): void {
    for (const [organization, scheduler] of this.#schedulers) {
      action(scheduler)
      if (scheduler.isIdle) this.#drop(organization)
    }
  }

  #drop(organization: string): void {
    const scheduler = this.#schedulers.get(organization)
    if (scheduler === undefined) return
    this.#schedulers.delete(organization)
    scheduler.close()
    if (scheduler.served.length > 0) this.#options.onServed(organization, [])
  }

  #isMine(organization: string): boolean {
    const { peers } = this.#options
    return peers.view.schedulerOf(organization) === peers.self
  }

  #isReady(organization: string, since: number): boolean {
    return this.#options.peers.maySchedule(organization) && this.haveAllSynced(since)
  }

  haveAllSynced(since: number): boolean {
    const { peers, clock, gateways } = this.#options
    const isLate = clock.now() - since >= GATHERING_MS
    const hasSynced = (id: string) => (this.#synced.get(id) ?? 0) >= peers.view.generation
    const isAwaited = (id: string, isIsolated: boolean) => gateways.isReachable(id) || !(isLate || isIsolated)
    return peers.view.all.every(({ id, isIsolated }) => hasSynced(id) || !isAwaited(id, isIsolated))
  }

  // A message from a gateway that hasn't heard of the newest view yet is for the scheduler before: it will be said again. One
  // from a gateway that knows a newer view waits for it. An organization that nobody has said anything about opens at once.
  #create(organization: string, from: string): OrganizationScheduler | undefined {
    const { peers, clock, gateways, onServed } = this.#options
    const generation = this.#views.get(from) ?? 0
    if (!this.#isMine(organization) && generation <= peers.view.generation) return undefined
    const scheduler = new OrganizationScheduler({
      organization,
      scheduler: this.createScheduler(),
      clock,
      generation,
      gateways,
      mayLease: () => peers.maySchedule(organization),
      onServed: (models) => onServed(organization, models),
    })
    this.#schedulers.set(organization, scheduler)
    if (this.#isReady(organization, scheduler.since)) scheduler.open()
    return scheduler
  }

  createScheduler(): Scheduler {
    const { limits, peers, tokenBudgets } = this.#options
    const nextLease = () => peers.view.generation * LEASES_PER_TERM + (this.#leases += 1)
    return new Scheduler(limits, nextLease, tokenBudgets)
  }
}
