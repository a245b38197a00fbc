// One organization at its scheduler: the pure core, fed with what fronts and homes say, and its decisions as messages to them. The core knows
// nothing of gateways, so the desk remembers which one has each job and each device.

import { PassingMap } from '@hearth/chat'
import type { Clock } from '../../time/clock.ts'
import type { SchedulerCore } from './core/scheduler-core.ts'
import type { SchedulerStats } from './core/stats.ts'
import type { Occupant } from './core/attempts/occupants.ts'
import type { Effect } from './core/types.ts'
import type { Reporter } from '../terms/job.ts'
import { EffectRunner } from './effect-runner.ts'
import { DeskDevices } from './desk-devices.ts'
import { isLastReport, reportTo } from './report-to.ts'
import type {
  DeskMessage,
  DeviceStatement,
  JobForecast,
  JobStatement,
  Message,
  Report,
  Statement,
} from '../terms/messages.ts'

export interface DeskOptions {
  organization: string
  core: SchedulerCore
  clock: Clock
  /** A direct call if the receiver is this gateway. */
  send: (to: string, message: Message) => void
  isReachable: (peer: string) => boolean
  /** Asked before every grant: a scheduler whose mandate ran out decides nothing. */
  mayGrant: () => boolean
  onServed: (models: readonly string[]) => void
}

export class Desk {
  readonly #options: DeskOptions
  readonly #core: SchedulerCore
  readonly #devices: DeskDevices
  readonly #effects: EffectRunner
  /** The gateway that each job came in at. */
  readonly #fronts = new PassingMap<string>()
  /** Of the latest statement of each job that was stated. */
  readonly #editions = new PassingMap<number>()
  /** Attempts to ask their homes about. */
  #unsure: Reporter[] = []
  /** The mandate has run out. */
  #isWaiting = false

  constructor(options: DeskOptions) {
    this.#options = options
    this.#core = options.core
    this.#devices = new DeskDevices(options)
    this.#effects = new EffectRunner({
      core: this.#core,
      clock: options.clock,
      carryOut: (effect) => this.#carryOut(effect),
      wake: () => this.#do((now) => this.#core.tick(now)),
    })
  }

  /** There is nothing to remember. */
  get isIdle(): boolean {
    return this.#fronts.size === 0 && this.#devices.isEmpty
  }

  get served(): readonly string[] {
    return this.#devices.served
  }

  stats(): SchedulerStats {
    return this.#core.stats(this.#options.clock.now())
  }

  forecasts(key: string): JobForecast[] {
    return [...this.#core.forecasts(key, this.#options.clock.now())].map(([job, forecast]) => ({ job, ...forecast }))
  }

  close(): void {
    this.#effects.stop()
  }

  take(from: string, message: DeskMessage): void {
    const now = this.#begin()
    this.#act(from, message, now)
    this.#settle(now)
  }

  /** Takes these gateways at their word, in place of all that was known from them. */
  state(statements: readonly (readonly [from: string, statement: Statement])[]): void {
    this.#do((now) => {
      this.#core.hold()
      for (const [from, { devices }] of statements) this.#devices.replace(from, devices, now)
      for (const [from, { jobs }] of statements) this.#dismiss(from, jobs, now)
      const jobs = statements.flatMap(([from, stated]) => stated.jobs.map((job) => [from, job] as const))
      for (const [from, job] of jobs.toSorted(([, a], [, b]) => b.ageMs - a.ageMs)) this.#adopt(from, job, now)
      for (const [, { devices }] of statements) for (const device of devices) this.#occupy(device, now)
      this.#doubtGivenUp()
      this.#serve(now)
    })
  }

  /** Slots of attempts that no job counts on stay taken until the home says that they are over. */
  #occupy({ device, epoch, open }: DeviceStatement, now: number): void {
    for (const { job, attempt, model } of open) this.#core.occupy({ device, epoch, job, attempt, model }, now)
  }

  /** The gateway is gone: its clients and its devices are too. */
  lost(peer: string): void {
    this.#do((now) => {
      for (const [job, front] of this.#fronts.entries()) if (front === peer) this.#abandon(job, now)
      this.#devices.replace(peer, [], now)
      this.#doubtGivenUp()
    })
  }

  /** The gateway that would have said that a device has stopped may be the one that is gone. */
  #doubtGivenUp(): void {
    for (const [device, epoch] of this.#devices.links()) this.#unsure.push(...this.#core.givenUp(device, epoch))
  }

  /** No front reports anymore how its attempts end. */
  #abandon(job: string, now: number): void {
    this.#core.cancel(job, 'client-gone', now)
    this.#unsure.push(...this.#core.attemptsOf(job))
  }

  #dismiss(from: string, jobs: readonly JobStatement[], now: number): void {
    const stated = new Set(jobs.map(({ ticket }) => ticket.job))
    for (const [job, front] of this.#fronts.entries()) if (front === from && !stated.has(job)) this.#forget(job, now)
  }

  #forget(job: string, now: number): void {
    const attempts = this.#core.attemptsOf(job)
    this.#fronts.delete(job)
    this.#editions.delete(job)
    this.#core.forget(job)
    this.#keepSlots(attempts, now)
  }

  #adopt(from: string, job: JobStatement, now: number): void {
    const { ticket, held, edition } = job
    const kept = held?.isLost === true ? undefined : held?.attempt
    const attempts = this.#core.attemptsOf(ticket.job).filter(({ attempt }) => attempt !== kept)
    if (held && !held.isLost) this.#core.vacate({ ...held, job: ticket.job }, now)
    this.#fronts.set(ticket.job, from)
    this.#editions.set(ticket.job, edition)
    // Its front may not know of the latest offer.
    const attempt = Math.max(job.attempt, ...attempts.map((one) => one.attempt))
    this.#core.adopt({ ...job, attempt }, now)
    this.#keepSlots(attempts, now)
  }

  #keepSlots(attempts: readonly Occupant[], now: number): void {
    for (const attempt of attempts) if (this.#core.occupy(attempt, now)) this.#unsure.push(attempt)
  }

  #act(from: string, message: DeskMessage, now: number): void {
    switch (message.type) {
      case 'submit':
        if (this.#fronts.has(message.ticket.job) || this.#core.has(message.ticket.job)) return
        this.#fronts.set(message.ticket.job, from)
        return this.#core.submit(message.ticket, now, message.requestBytes)
      case 'cancel':
        return this.#core.cancel(message.job, message.reason, now)
      case 'report':
        return this.#take(message, now)
      case 'restate':
        this.#core.hold()
        this.#adopt(from, message.job, now)
        return this.#serve(now)
      case 'device':
        return this.#devices.announce(from, message.device, now)
      case 'device-down':
        return this.#devices.down(message.device, message.epoch, now)
      case 'released':
        return this.#core.vacate(message.from, now)
      case 'model-closed':
        return this.#core.modelClosed(message.organization, message.model, now)
      default:
        message satisfies never
    }
  }

  #take({ from, report, delivered }: Extract<DeskMessage, { type: 'report' }>, now: number): void {
    const isLast = isLastReport(report)
    if (delivered === undefined && !isLast) return this.#report(from, report, now)
    const isHeld = this.#core.holds(from)
    if (isHeld && delivered !== undefined) this.#core.delivered(from, delivered, now)
    this.#report(from, report, now)
    if (!isHeld) this.#late(from, report, now)
    if (!isHeld && isLast) this.#core.vacate(from, now)
  }

  #report(from: Reporter, report: Report, now: number): void {
    if (report.kind === 'unknown') {
      this.#forget(from.job, now)
      return this.#serve(now)
    }
    reportTo(this.#core, from, report, now)
    if (report.kind === 'faulted') this.#unsure.push(from)
  }

  // If the device's link went down right after its last frame, the scheduler may have heard of that first, and let the job wait again, as if
  // nothing had been delivered.
  #late({ job }: Reporter, report: Report, now: number): void {
    if (report.kind === 'ended') return this.#core.cancel(job, 'superseded', now)
    if (report.kind === 'delivered') this.#sendTo(this.#fronts.get(job), { type: 'restate-wanted', job })
  }

  /** Continues if it stopped because its mandate had run out. */
  resume(): void {
    if (this.#isWaiting) this.#do(() => undefined)
  }

  #do(action: (now: number) => void): void {
    const now = this.#begin()
    action(now)
    this.#settle(now)
  }

  #begin(): number {
    if (!this.#options.mayGrant()) this.#wait()
    return this.#options.clock.now()
  }

  #settle(now: number): void {
    if (this.#isWaiting) this.#serve(now)
    this.#effects.run()
    if (this.#unsure.length > 0) for (const of of this.#unsure.splice(0)) this.#askHome(of)
  }

  #askHome(of: Reporter): void {
    this.#sendTo(this.#devices.homeOf(of.device, of.epoch), { type: 'released-wanted', of: reporterOf(of) })
  }

  #sendTo(gateway: string | undefined, message: Message): void {
    if (gateway !== undefined) this.#options.send(gateway, message)
  }

  /** Jobs get their devices, if this gateway may decide that. */
  #serve(now: number): void {
    if (!this.#options.mayGrant()) return this.#wait()
    this.#isWaiting = false
    this.#core.settle(now)
  }

  /** Without a mandate nothing is granted, and no device is to blame for that. */
  #wait(): void {
    this.#isWaiting = true
    this.#core.hold()
  }

  #carryOut(effect: Effect): void {
    const front = this.#fronts.get(effect.job)
    switch (effect.type) {
      case 'offer':
        return this.#offer(effect, front)
      case 'cancel':
        return this.#sendTo(front, { type: 'stop', of: reporterOf(effect), reason: effect.reason })
      case 'finish':
        return this.#finish(effect, front)
      default:
        effect satisfies never
    }
  }

  #offer(effect: Extract<Effect, { type: 'offer' }>, front: string | undefined): void {
    const { file, isSecond, course } = effect
    const to = reporterOf(effect)
    const home = this.#devices.homeOf(effect.device, effect.epoch)
    // The front states its jobs again when it is back.
    if (front === undefined || !this.#options.isReachable(front)) return this.#leaveOut(to)
    if (home === undefined || !this.#options.mayGrant())
      return this.#core.refused(to, 'busy', this.#options.clock.now())
    const { organization } = this.#options
    const edition = this.#editions.get(effect.job) ?? 0
    const expectedMs = this.#core.expectedMs(effect.job)
    this.#options.send(front, { type: 'grant', organization, to, home, file, isSecond, course, expectedMs, edition })
  }

  #leaveOut(offered: Reporter): void {
    const now = this.#options.clock.now()
    this.#forget(offered.job, now)
    this.#core.vacate(offered, now)
    this.#serve(now)
  }

  // The front already knows of replies that ended and of jobs that it canceled.
  #finish({ job, outcome, attempt }: Extract<Effect, { type: 'finish' }>, front: string | undefined): void {
    this.#fronts.delete(job)
    this.#editions.delete(job)
    if (front === undefined || outcome.kind === 'ended' || outcome.kind === 'cancelled') return
    this.#options.send(front, { type: 'finish', organization: this.#options.organization, job, outcome, attempt })
  }
}

function reporterOf({ device, epoch, job, attempt }: Reporter): Reporter {
  return { device, epoch, job, attempt }
}
