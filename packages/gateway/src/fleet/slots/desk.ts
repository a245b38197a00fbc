// One organization at its lessor: the pure part, told what jobs and homes say, and its decisions as messages to them.

import type { Clock } from '../../time/clock.ts'
import { WakeTimer } from '../../time/wake-timer.ts'
import type { Lessor } from './core/lessor.ts'
import type { LessorStats } from './core/stats.ts'
import type { Decision } from './core/types.ts'
import { TakeOvers } from '../terms/take-overs.ts'
import type { DeskMessage, DeviceStatement, JobForecast, Post } from '../terms/messages.ts'

export interface DeskOptions extends Pick<Post, 'send'> {
  organization: string
  lessor: Lessor
  clock: Clock
  /** Of the newest view in which somebody took this gateway for the lessor. */
  generation: number
  /** Asked before every lease: a gateway whose mandate ran out decides nothing. */
  mayLease: () => boolean
  onServed: (models: readonly string[]) => void
}

export class Desk {
  readonly since: number
  readonly generation: number
  readonly #options: DeskOptions
  readonly #lessor: Lessor
  readonly #takeOvers = new TakeOvers()
  readonly #timer: WakeTimer
  /** Every gateway has said what it knows of the organization, or is not waited for. */
  isOpen = false
  #isDeciding = false
  /** The models that take jobs, as last told. */
  readonly #served = new Set<string>()

  constructor(options: DeskOptions) {
    this.since = options.clock.now()
    this.generation = options.generation
    this.#options = options
    this.#lessor = options.lessor
    this.#timer = new WakeTimer(options.clock, () => this.#do((now) => this.#lessor.tick(now)))
    this.#lessor.gather()
  }

  /** There is nothing to remember. */
  get isIdle(): boolean {
    return this.#lessor.waiting === 0 && this.#lessor.devices.size === 0
  }

  get served(): readonly string[] {
    return [...this.#served]
  }

  stats(): LessorStats {
    return this.#lessor.stats(this.#options.clock.now())
  }

  forecasts(key: string): JobForecast[] {
    return [...this.#lessor.forecasts(key, this.#options.clock.now())].map(([job, forecast]) => ({ job, ...forecast }))
  }

  open(): void {
    this.isOpen = true
    this.#do((now) => this.#lessor.open(now))
  }

  /** Continues if it stopped because its mandate had run out. */
  resume(): void {
    if (this.isOpen && this.#lessor.isHeld) this.#do((now) => this.#lessor.serve(now))
  }

  close(): void {
    this.#timer.stop()
  }

  take(from: string, message: DeskMessage): void {
    if (message.type !== 'device' && message.type !== 'device-down')
      return this.#do((now) => this.#act(from, message, now))
    const device = message.type === 'device' ? message.device.device : message.device
    const before = this.#modelsOf(device)
    this.#do((now) => this.#act(from, message, now))
    this.#tellServed([...before, ...this.#modelsOf(device)])
  }

  #modelsOf(device: string): string[] {
    return [...(this.#lessor.devices.current(device)?.served.keys() ?? [])]
  }

  /** The gateway can't be reached: what it asked for and what its devices offer counts when it says it again. */
  cutOff(peer: string): void {
    this.#do((now) => {
      this.#lessor.homeAway(peer)
      this.#lessor.forgetAsker(peer, now)
    })
  }

  /** The gateway has said all that it knows. */
  stated(peer: string): void {
    this.#do((now) => this.#lessor.homeStated(peer, now))
    this.#tellServed(new Set([...this.#served, ...this.#lessor.models()]))
  }

  #act(from: string, message: DeskMessage, now: number): void {
    switch (message.type) {
      case 'ask':
        // A job that reaches another organization can't be taken back.
        if (message.ask.ticket.organization !== this.#options.organization) return
        return this.#lessor.ask(from, message.ask, now)
      case 'withdraw':
        return this.#lessor.withdraw(message.job, now)
      case 'answered':
        return this.#lessor.answered(message, now)
      case 'late':
        return this.#lessor.late(message.leases, now)
      case 'settled':
        return this.#lessor.settled(from, message, message.settlement, message.again, now)
      case 'device':
        return this.#announced(from, message.device, now)
      case 'device-down':
        return this.#lessor.deviceDown(message.device, message.epoch, now)
      case 'freed':
        return this.#lessor.freed(message, now)
      default:
        message satisfies never
    }
  }

  #announced(home: string, stated: DeviceStatement, now: number): void {
    const { device, epoch, boot, address } = stated
    const known = this.#lessor.devices.current(device)
    if (known !== undefined && known.epoch > epoch) return this.#supersede(home, device, epoch)
    // A home decides on its own which link stays if both are its own.
    const old = known?.home === home ? undefined : known
    this.#takeOvers.tidy(now)
    if (old !== undefined && !this.#takeOvers.allow({ device, holder: old.boot, boot, address }, now)) {
      this.#options.send(home, { type: 'in-use', device, epoch })
      return this.#options.send(old.home, { type: 'contested', device, epoch: old.epoch, address })
    }
    this.#lessor.stated({ ...stated, home }, now)
    // Last: if the old link is at this gateway, it goes down at once, and must find the new one in its place.
    if (old !== undefined) this.#supersede(old.home, device, old.epoch)
  }

  #supersede(home: string, device: string, epoch: number): void {
    this.#options.send(home, { type: 'superseded', device, epoch })
  }

  /** Looks only at the models that may have changed: devices report often, and an organization may have many of both. */
  #tellServed(models: Iterable<string>): void {
    let isNew = false
    for (const model of models) {
      const isServed = this.#lessor.serves(model)
      if (isServed === this.#served.has(model)) continue
      isNew = true
      if (isServed) this.#served.add(model)
      else this.#served.delete(model)
    }
    if (isNew) this.#options.onServed(this.served)
  }

  #do(action: (now: number) => void): void {
    const { clock, mayLease } = this.#options
    this.#lessor.isHeld = !this.isOpen || !mayLease()
    action(clock.now())
    this.#carryOut()
    this.#timer.wakeBy(this.#lessor.nextDeadline())
  }

  // Carrying out a decision may lead to others, such as a lease on a link that just closed. The outermost call handles them all.
  #carryOut(): void {
    if (this.#isDeciding) return
    this.#isDeciding = true
    const { decisions, doubts } = this.#lessor
    try {
      for (const decision of decisions) this.#tell(decision)
    } finally {
      decisions.length = 0
      this.#isDeciding = false
    }
    // After the leases: those that are not with their home by then are void.
    if (doubts.length > 0)
      for (const { id, epoch, home } of doubts.splice(0))
        this.#options.send(home, { type: 'state-wanted', device: id, epoch })
  }

  #tell(decision: Decision): void {
    const { organization, send } = this.#options
    if (decision.type === 'decline')
      return send(decision.asker, { type: 'decline', organization, job: decision.job, outcome: decision.outcome })
    const { asker, lease } = decision
    // If the link is gone since, so is the lease: the front asks again, because it can't reach the home.
    if (this.#lessor.devices.find(lease.device, lease.epoch) === undefined) lease.home = ''
    send(asker, { ...lease, type: 'lease', organization })
  }
}
