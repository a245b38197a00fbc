// The world around the scheduler: it passes on what devices and clients say, carries out the effects, and holds every promise against an
// account of its own. The account is always changed first and the scheduler asked second, so that the two can be compared.

import type { SchedulerCore } from '../core/scheduler-core.ts'
import type { Effect, Failure, Ms, RefuseReason, SchedulerLimits, Ticket } from '../core/types.ts'
import { Attempt, anyFate, goodFate, type Gateway } from './attempt.ts'
import { Client } from './client.ts'
import type { Device } from './device.ts'
import type { Random } from './random.ts'
import { VirtualClock } from './virtual-clock.ts'
import { demand, Violation } from './violation.ts'

const REMEMBERED_ATTEMPTS = 64

export class World implements Gateway {
  readonly clock = new VirtualClock()
  readonly random: Random
  readonly core: SchedulerCore
  readonly limits: SchedulerLimits
  readonly devices = new Map<string, Device>()
  /** Clients whose job is not finished, or still holds a slot. */
  readonly clients = new Map<string, Client>()
  /** Attempts that are over, the latest ones: their words come too late. */
  readonly past: Attempt[] = []
  /** From now on nothing goes wrong any more. */
  isCalm = false
  submitted = 0
  finished = 0
  delivered = 0
  hash = 0x811c9dc5
  readonly outcomes = new Map<string, number>()

  constructor(core: SchedulerCore, random: Random, limits: SchedulerLimits) {
    this.core = core
    this.random = random
    this.limits = limits
  }

  get now(): Ms {
    return this.clock.now
  }

  submit(ticket: Ticket): Client {
    const client = new Client((this.submitted += 1), ticket, this.limits, this.now)
    this.clients.set(ticket.job, client)
    this.core.submit(ticket, this.now)
    this.settle()
    client.isAdmitted = true
    return client
  }

  leave(client: Client): void {
    if (client.isFinished) return
    client.allowed.push('cancelled')
    this.core.cancel(client.ticket.job, 'client-gone', this.now)
    this.settle()
    demand(client.isFinished, () => `${client.ticket.job} goes on although its client left`)
  }

  linkUp(device: Device): void {
    this.#lose(device)
    device.linkUp()
    this.core.deviceUp(device.linked, this.now)
    this.settle()
    for (const client of this.clients.values())
      if (client.isWaiting && device.organization === client.ticket.organization && device.serves(client.ticket.model))
        demand(
          this.isDoable(client),
          () => `${client.ticket.job} waits although no device that serves its model can do it`,
        )
  }

  /** A device that serves the model can do it, or none serves it at all. */
  isDoable({ ticket, features }: Client): boolean {
    let isServed = false
    for (const device of this.devices.values()) {
      if (!device.isUp || device.isDraining || device.organization !== ticket.organization) continue
      if (device.canServe(ticket.model, features)) return true
      isServed ||= device.serves(ticket.model)
    }
    return !isServed
  }

  linkDown(device: Device): void {
    this.#lose(device)
    device.isUp = false
    this.core.deviceDown(device.id, device.epoch, this.now)
    this.settle()
  }

  tick(): void {
    this.clock.now = Math.max(this.now, this.core.nextDeadline()!)
    this.core.tick(this.now)
    this.settle()
  }

  accept(attempt: Attempt): void {
    this.#sign(attempt)
    this.core.accepted(attempt.speaker, this.now)
    this.settle()
  }

  progress(attempt: Attempt): void {
    this.#sign(attempt)
    this.core.progress(attempt.speaker, attempt.client.ticket.promptSize, this.now)
    this.settle()
  }

  event(attempt: Attempt, sequence: number): void {
    const { client } = attempt
    const isCurrent = client.current === attempt
    const isDue = isCurrent && sequence === client.received
    if (isCurrent && sequence >= client.received) this.#sign(attempt)
    const verdict = this.core.receive(attempt.speaker, sequence, 1, this.now)
    demand(verdict === 'deliver' || !isDue, () => `event ${sequence} of ${client.ticket.job} was due and is dropped`)
    if (verdict === 'deliver') this.#deliver(attempt, sequence)
    const isGap = isCurrent && sequence > client.received
    this.settle()
    demand(!isGap || client.current !== attempt, () => `${client.ticket.job} goes on although an event is missing`)
  }

  #deliver(attempt: Attempt, sequence: number): void {
    attempt.client.delivered(attempt, sequence)
    this.delivered += 1
    this.#mix(sequence)
  }

  end(attempt: Attempt, sequence: number): void {
    const { client } = attempt
    const isDue = client.current === attempt && sequence === client.received
    if (isDue) client.allowed.push('ended')
    this.#sign(attempt)
    this.#free(attempt)
    attempt.served.trusted()
    if (!isDue) client.lost(attempt, this.now)
    const tokens = { prompt: 0, completion: client.ticket.cost + this.random.between(-50, 50) }
    const verdict = this.core.ended(attempt.speaker, sequence, tokens, this.now)
    demand((verdict === 'deliver') === isDue, () => `the end of ${client.ticket.job} got the verdict ${verdict}`)
    this.settle()
    demand(!isDue || client.isFinished, () => `${client.ticket.job} goes on after its end`)
  }

  fail(attempt: Attempt, failure: Failure): void {
    const { client } = attempt
    this.#sign(attempt)
    this.#free(attempt)
    if (client.current === attempt) this.#foresee(client, failure)
    client.lost(attempt, this.now)
    this.core.failed(attempt.speaker, failure, this.now)
    this.settle()
  }

  #foresee(client: Client, failure: Failure): void {
    if (!failure.retryable) client.allowed.push('refused-by-device')
    if (!failure.crashed) return
    client.crashes += 1
    if (client.crashes >= this.limits.crashes || client.isBroken) client.allowed.push('crashed')
  }

  refuse(attempt: Attempt, reason: RefuseReason): void {
    const { client } = attempt
    this.#free(attempt)
    if (attempt.isAccepted) client.lost(attempt, this.now)
    else if (client.current === attempt) this.#putBack(attempt, reason)
    this.core.refused(attempt.speaker, reason, this.now)
    this.settle()
  }

  #putBack(attempt: Attempt, reason: RefuseReason): void {
    const isUnable = reason === 'unsupported' || reason === 'wrong-organization'
    if (isUnable) attempt.client.excluded.push(attempt.speaker.device)
    else attempt.served.refused(this.now)
    attempt.client.putBack(attempt)
  }

  confirm(attempt: Attempt): void {
    this.#free(attempt)
    attempt.client.lost(attempt, this.now)
    this.core.cancelConfirmed(attempt.speaker, this.now)
    this.settle()
  }

  /** Carries out what the scheduler decided. */
  settle(): void {
    const { effects } = this.core
    if (effects.length === 0) return
    for (const effect of effects) this.#carryOut(effect)
    effects.length = 0
  }

  #carryOut(effect: Effect): void {
    const client = this.clients.get(effect.job)
    if (client === undefined) throw new Violation(`effect ${effect.type} for ${effect.job}, which is over`)
    this.#mix(client.number)
    this.#mix(effect.type.length * 8 + client.attempts)
    this.#mix(this.now | 0)
    if (effect.type === 'offer') this.#offer(effect, client)
    else if (effect.type === 'cancel') this.#cancel(effect, client)
    else if (effect.type === 'restart') client.restarted()
    else this.#finish(effect, client)
  }

  #offer(effect: Extract<Effect, { type: 'offer' }>, client: Client): void {
    const { job, organization, model } = client.ticket
    const device = this.devices.get(effect.device)
    if (!device?.isUp || device.epoch !== effect.epoch)
      throw new Violation(`${job} was offered over a link that is gone`)
    demand(device.organization === organization, () => `${job} was offered to a device of another organization`)
    demand(!device.isDraining, () => `${job} was offered to a device that drains`)
    demand(device.canServe(model, client.features), () => `${job} was offered to a device that cannot do it`)
    const served = device.served.get(model)!
    demand(served.hasRoom, () => `${job} was offered to a device without a free slot`)
    demand(served.quietUntil <= this.now, () => `${job} was offered to a device that just refused`)
    if (client.failedOn.includes(device.id)) this.#demandNoOther(client)
    const fate = this.isCalm ? goodFate(this.random) : anyFate(this.random, this.limits.acceptMs)
    const attempt = new Attempt(this, client, device, fate)
    demand(attempt.speaker.attempt === effect.attempt, () => `${job} was offered as attempt ${effect.attempt}`)
    client.offered(attempt, this.now)
    device.hold(attempt)
    this.#mix(device.id.charCodeAt(device.id.length - 1))
  }

  #demandNoOther(client: Client): void {
    const other = this.freeDevices(client).find((device) => !client.failedOn.includes(device.id))
    demand(
      other === undefined,
      () => `${client.ticket.job} was offered to a device that failed it, while ${other!.id} is free`,
    )
  }

  /** Those that could start the job now. */
  freeDevices({ ticket, features, excluded }: Client): Device[] {
    const own = [...this.devices.values()].filter((device) => device.organization === ticket.organization)
    return own.filter((device) => device.isFree(ticket.model, features, this.now) && !excluded.includes(device.id))
  }

  #cancel(effect: Extract<Effect, { type: 'cancel' }>, client: Client): void {
    const attempts = this.devices.get(effect.device)?.attempts ?? []
    const attempt = [...attempts].find((other) => other.client === client && other.speaker.attempt === effect.attempt)
    if (attempt === undefined || attempt.speaker.epoch !== effect.epoch)
      throw new Violation(`attempt ${effect.attempt} of ${effect.job} is cancelled without holding a slot`)
    demand(!attempt.isCancelled, () => `attempt ${effect.attempt} of ${effect.job} is cancelled twice`)
    attempt.isCancelled = true
    client.lost(attempt, this.now)
    this.clock.after(this.random.between(1, 40), () => attempt.cancel())
  }

  #finish({ outcome, job }: Extract<Effect, { type: 'finish' }>, client: Client): void {
    client.finished(outcome, this.now)
    demand(
      outcome.kind !== 'unsupported' || !this.isDoable(client),
      () => `${job} was refused although it could be done`,
    )
    this.finished += 1
    this.outcomes.set(outcome.kind, (this.outcomes.get(outcome.kind) ?? 0) + 1)
    this.clients.delete(job)
    this.#mix(outcome.kind.length)
  }

  /** A word that shows the device at work. */
  #sign(attempt: Attempt): void {
    attempt.lastSignAt = this.now
    if (attempt.client.current !== attempt || attempt.isAccepted) return
    attempt.client.accepted(attempt, this.now)
    attempt.served.trusted()
  }

  #free(attempt: Attempt): void {
    attempt.device.free(attempt)
    this.#bury(attempt)
  }

  #lose(device: Device): void {
    for (const attempt of device.attempts) {
      attempt.vanish()
      attempt.client.lost(attempt, this.now)
      this.#bury(attempt)
    }
    device.attempts.clear()
  }

  #bury(attempt: Attempt): void {
    if (this.past.length < REMEMBERED_ATTEMPTS) this.past.push(attempt)
    else this.past[this.random.between(0, REMEMBERED_ATTEMPTS - 1)] = attempt
  }

  #mix(value: number): void {
    this.hash = Math.imul(this.hash ^ value, 0x01000193) >>> 0
  }
}
