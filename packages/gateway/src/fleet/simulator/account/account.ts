// The expected state of a gateway that has no peers, where effects are immediate. The account always hears of an event before the gateway
// does, so that each decision of the gateway can be compared with what was due.

import type { JobAttempt, RefuseReason, CancelReason } from '@hearth/protocol'
import type { JobRecord } from '../../jobs/job-record.ts'
import type { DeviceLink } from '../../devices/device-link.ts'
import type { Scheduler } from '../../scheduler/core/scheduler.ts'
import type { Month } from '../service/month.ts'
import type { FleetLimits, Roles } from '../../roles.ts'
import type { Start } from '../../terms/messages.ts'
import type { Ms, Ticket } from '../../terms/job.ts'
import { demand, Violation } from '../violation.ts'
import { checkStillDoable, hasSuccessor, isDoable } from './availability.ts'
import { checkOffer } from './check-offer.ts'
import { KnownDevice } from './known-device.ts'
import { KnownAttempt, KnownJob } from './known-job.ts'
import { LateOffers } from './late-offers.ts'

export interface AccountOptions {
  limits: FleetLimits
  /** Of every request: a large one may be answered later. */
  requestMs: Ms
  clock: { readonly now: Ms }
  month: Month
  roles: () => Roles
  /** Called with everything that the gateway decides. */
  note: (value: number) => void
}

export class Account {
  readonly limits: FleetLimits
  readonly devices = new Map<string, KnownDevice>()
  /** Those that are not over. */
  readonly jobs = new Map<string, KnownJob>()
  /** Those whose slot the scheduler counts as taken. */
  readonly attempts = new Set<KnownAttempt>()
  readonly lateOffers: LateOffers
  readonly #options: AccountOptions
  readonly #schedulers = new Map<string, Scheduler>()
  /** Jobs whose attempt was accepted or lost in this call. */
  readonly shaken: KnownJob[] = []
  /** The attempt whose device asks right now to be rid of it. */
  handsOver: KnownAttempt | undefined
  /** The latest attempt that the front wants to start. */
  #offer: KnownAttempt | undefined
  /** The text that a client has to get now. */
  due: string | undefined
  submitted = 0
  finished = 0
  continued = 0
  /** Everything that clients and devices have noticed. */
  effects = 0

  constructor(options: AccountOptions) {
    this.#options = options
    this.limits = options.limits
    this.lateOffers = new LateOffers(options.limits.hedgeMs + options.requestMs)
  }

  get now(): Ms {
    return this.#options.clock.now
  }

  get month(): Month {
    return this.#options.month
  }

  get roles(): Roles {
    return this.#options.roles()
  }

  // Deadlines.

  leasedBy(organization: string, scheduler: Scheduler): void {
    this.#schedulers.set(organization, scheduler)
  }

  /** The front looks at the time. */
  ticking(): void {
    this.lateOffers.note(this.now)
  }

  get nextDeadline(): Ms | undefined {
    let first = this.roles.jobs.nextDeadline ?? Number.POSITIVE_INFINITY
    for (const scheduler of this.#schedulers.values()) first = Math.min(first, scheduler.nextDeadline() ?? first)
    return first === Number.POSITIVE_INFINITY ? undefined : first
  }

  /** A deadline has come, and the gateway does not know yet what time it is. */
  isDue(organization: string): boolean {
    return this.#isSchedulerDue(organization) || (this.roles.jobs.nextDeadline ?? Number.POSITIVE_INFINITY) <= this.now
  }

  #isSchedulerDue(organization: string): boolean {
    return (this.#schedulers.get(organization)?.nextDeadline() ?? Number.POSITIVE_INFINITY) <= this.now
  }

  // Clients.

  submit(ticket: Ticket, hidden: number): KnownJob {
    const job = new KnownJob(ticket, hidden, this.limits, this.now)
    this.submitted += 1
    this.jobs.set(ticket.job, job)
    return job
  }

  closeModel(organization: string, model: string): void {
    for (const job of this.jobs.values()) {
      if (job.ticket.organization !== organization || job.ticket.model !== model) continue
      job.isModelClosed = true
      if (job.isWaiting) job.allowed.push('model-disabled')
    }
  }

  /** A client got this. */
  delivered(id: string, text: string): void {
    if (text !== this.due) throw new Violation(`${id} gets "${text}", which was not due`)
    this.due = undefined
    this.#note(text.length)
  }

  restarted(id: string): void {
    this.#note(7)
    this.jobs.get(id)?.restarted()
  }

  recorded(record: JobRecord): void {
    const { outcome, ticket } = record
    const { job: id } = ticket
    const job = this.jobs.get(id)
    if (job === undefined) return demand(false, () => `${id} ends twice, now with ${outcome.kind}`)
    if (this.month.isOver(ticket.key)) job.allowed.push('budget-used')
    job.finished(record, this.now)
    // Most jobs that end were never offered.
    if (job.attempts > 0)
      for (const attempt of this.attempts)
        if (attempt.job === job && !attempt.isCancelled)
          throw new Violation(`${id} ended, but a device still works on it`)
    demand(outcome.kind !== 'unsupported' || !isDoable(this.devices, job), () => `${id} was refused but can be done`)
    this.finished += 1
    this.jobs.delete(id)
    this.#note(outcome.kind.length)
  }

  // Links of devices.

  linkUp({ identity, epoch, state }: DeviceLink): void {
    const { id, organization } = identity
    const device = this.devices.get(id) ?? new KnownDevice(id, organization)
    this.devices.set(id, device)
    demand(!device.isUp, () => `${id} has two links`)
    device.linkUp(epoch, 'hello' in state ? state.hello.models : [])
  }

  /** Returns what has to hold when the scheduler knows it too. */
  announce({ identity, state }: DeviceLink): () => void {
    const device = this.devices.get(identity.id)!
    const models = 'hello' in state ? state.hello.models : []
    const isDraining = state.name === 'draining'
    const { models: known, isDraining: wasDraining } = device
    device.isDraining = isDraining
    const changed = device.announce(models)
    const before = this.effects
    const isSame = () => wasDraining === isDraining && JSON.stringify(models) === JSON.stringify(known)
    return () => {
      demand(before === this.effects || !isSame(), () => `${device.id} changes something by saying the same again`)
      if (changed.size > 0)
        checkStillDoable(this, device, ({ ticket, features }) => ((changed.get(ticket.model) ?? 0) & features) !== 0)
    }
  }

  /** A hub that is asked tells all that its link has said, even what it would announce only in a moment. */
  reported({ identity, epoch, state }: DeviceLink): void {
    const device = this.devices.get(identity.id)
    if (!device?.isUp || device.epoch !== epoch || !('hello' in state)) return
    if (device.models !== state.hello.models) device.announce(state.hello.models)
  }

  checkServed(device: KnownDevice): void {
    checkStillDoable(this, device, ({ ticket }) => device.serves(ticket.model))
  }

  linkDown({ identity, epoch }: DeviceLink): void {
    const device = this.devices.get(identity.id)!
    demand(device.isUp && device.epoch === epoch, () => `the end of an old link of ${device.id} counts`)
    device.isUp = false
    for (const attempt of this.attempts) {
      if (attempt.device !== device) continue
      this.lose(attempt)
      this.attempts.delete(attempt)
    }
  }

  // Messages from the gateway to devices.

  offer(of: Start, request: string): KnownAttempt {
    const { job: id, device: name, epoch, attempt: number } = of
    const job = this.jobs.get(id)
    const device = this.devices.get(name)
    if (job === undefined) throw new Violation(`${id} is offered after its end`)
    if (!device?.isUp || device.epoch !== epoch) throw new Violation(`${id} is offered over a link that is gone`)
    // A device whose pause ends right now is not free before the scheduler knows the time.
    checkOffer(job, device, this.devices, this.#isSchedulerDue(device.organization) ? this.now - 1 : this.now)
    const isContinued = request.includes('"choices"') || request.includes('"begun"')
    if (!isContinued && job.isWaiting && this.handsOver?.job !== job) this.#checkBudget(job)
    const attempt = new KnownAttempt(of, job, device, request.includes('"recovery"'), this.now, this.limits.acceptMs)
    if (isContinued) this.continued += 1
    job.offered(attempt, isContinued, this.now)
    this.lateOffers.offered(attempt)
    this.attempts.add(attempt)
    this.#offer = attempt
    attempt.served.held += 1
    this.#note(number * 64 + name.charCodeAt(name.length - 1))
    return attempt
  }

  #checkBudget({ ticket }: KnownJob): void {
    demand(!this.month.wasOver(ticket.key), () => `${ticket.job} starts although its budget is used up`)
  }

  /** Its device has it. */
  started({ job, attempt }: JobAttempt): KnownAttempt {
    const offer = this.#offer
    if (offer?.reporter.job !== job || offer.reporter.attempt !== attempt)
      throw new Violation(`attempt ${attempt} of ${job} starts although it was not offered`)
    offer.isStarted = true
    return offer
  }

  /** Its hub has refused it: the device has fewer slots than the scheduler could know. */
  refusedByHub(attempt: KnownAttempt): void {
    this.free(attempt)
    this.putBack(attempt, 'busy')
  }

  cancelled(attempt: KnownAttempt, reason: CancelReason): void {
    const { job, attempt: number } = attempt.reporter
    demand(this.attempts.has(attempt), () => `attempt ${number} of ${job} is canceled without holding a slot`)
    demand(!attempt.isCancelled, () => `attempt ${number} of ${job} is canceled twice`)
    demand(
      reason !== 'timed-out' || this.#isOverdue(attempt),
      () => `attempt ${number} of ${job} is canceled too early`,
    )
    attempt.isCancelled = true
    this.lose(attempt, reason === 'timed-out' || attempt === this.handsOver)
    this.#note(number + reason.length)
  }

  #isOverdue({ isAccepted, isLoading, answerBy, lastSignAt, job }: KnownAttempt): boolean {
    const { gapMs, firstEventMs } = this.limits
    const silentMs = job.received > 0 ? gapMs : firstEventMs
    const isSilent = isAccepted ? this.now >= lastSignAt + silentMs : this.now >= answerBy
    const isTotal = this.now >= job.totalUntil
    return isSilent || isTotal || ((isLoading || !isAccepted) && this.now >= Math.min(job.waitUntil, job.leastReturn))
  }

  // Effects of messages from devices: see `hear.ts`.

  /** The gateway has decided everything. */
  settled(): void {
    if (this.shaken.length === 0) return
    for (const job of this.shaken) job.settled()
    this.shaken.length = 0
  }

  putBack(attempt: KnownAttempt, reason: RefuseReason): void {
    const isUnable = reason === 'unsupported' || reason === 'wrong-organization'
    if (isUnable) attempt.job.excluded.push(attempt.reporter.device)
    else attempt.served.refused(this.now)
    attempt.job.putBack(attempt)
  }

  /** A sign of life. */
  sign(attempt: KnownAttempt): void {
    attempt.lastSignAt = this.now
    const { job } = attempt
    if (!job.holds(attempt) || attempt.isAccepted) return
    this.lateOffers.accepted(attempt)
    job.accepted(attempt, this.now)
    this.shaken.push(job)
    attempt.served.trusted()
  }

  /** `isFault` means that the device failed or took too long; otherwise the attempt was only interrupted. */
  lose(attempt: KnownAttempt, isFault = false): void {
    const { job } = attempt
    if (job.holds(attempt)) {
      job.lost(attempt, this.now, isFault)
      if (!hasSuccessor(this.devices, job)) job.awaitReturn(this.now)
    }
    this.shaken.push(job)
  }

  free(attempt: KnownAttempt): void {
    if (!this.attempts.delete(attempt)) return
    attempt.served.held -= 1
    attempt.device.isLate = false
  }

  #note(value: number): void {
    this.effects += 1
    this.#options.note(value)
  }
}
