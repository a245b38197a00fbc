// The world around the scheduler: it passes on what devices and clients do, carries out the effects, and checks every promise against its
// own account. The account is always updated first and the scheduler called second, so that the two can be compared.

import type { SchedulerCore } from '../../scheduler/core/scheduler-core.ts'
import type {
  DeviceModel,
  Effect,
  Failure,
  Ms,
  RefuseReason,
  SchedulerLimits,
  Ticket,
} from '../../scheduler/core/types.ts'
import { Attempt, type Gateway } from './attempt.ts'
import { checkStillDoable, hasSuccessor, isDoable } from './availability.ts'
import { checkOffer } from './check-offer.ts'
import { Client } from './client.ts'
import { withPresence, type Device } from './device.ts'
import { anyFate, goodFate } from './fate.ts'
import { LateOffers } from './late-offers.ts'
import type { Random } from '../random.ts'
import { VirtualClock } from '../virtual-clock.ts'
import { demand, Violation } from '../violation.ts'

const REMEMBERED_ATTEMPTS = 64

export class World implements Gateway {
  readonly clock = new VirtualClock()
  readonly random: Random
  readonly core: SchedulerCore
  readonly limits: SchedulerLimits
  readonly devices = new Map<string, Device>()
  /** Clients whose job is not finished. */
  readonly clients = new Map<string, Client>()
  /** Attempts whose slot the scheduler counts as taken. */
  readonly attempts = new Set<Attempt>()
  /** The latest attempts that are over: anything about them comes too late. */
  readonly past: Attempt[] = []
  readonly lateOffers: LateOffers
  /** Clients whose attempt was accepted or lost in this call. */
  readonly #shaken: Client[] = []
  /** The attempt whose device asks right now to be rid of it. */
  #handsOver: Attempt | undefined
  /** From now on nothing goes wrong. */
  isCalm = false
  submitted = 0
  finished = 0
  delivered = 0
  continued = 0
  hash = 0x811c9dc5
  readonly outcomes = new Map<string, number>()

  constructor(core: SchedulerCore, random: Random, limits: SchedulerLimits) {
    this.core = core
    this.random = random
    this.limits = limits
    this.lateOffers = new LateOffers(limits.hedgeMs)
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

  runOutOfMemory(client: Client): void {
    client.allowed.push('out-of-memory')
    this.core.outOfMemory(client.ticket.job, 'process', this.now)
    this.settle()
    demand(client.isFinished, () => `${client.ticket.job} goes on although there is no memory for its reply`)
  }

  linkUp(device: Device): void {
    device.isUp = false
    this.#unlink(device)
    device.linkUp()
    this.core.deviceUp(device.linked, this.now)
    this.settle()
    checkStillDoable(this, device, ({ ticket }) => device.serves(ticket.model))
  }

  changeModels(device: Device, models: DeviceModel[]): void {
    const changed = device.announce(models)
    this.core.deviceModels(device.id, device.epoch, models, this.now)
    this.settle()
    checkStillDoable(this, device, ({ ticket, features }) => ((changed.get(ticket.model) ?? 0) & features) !== 0)
  }

  linkDown(device: Device): void {
    device.isUp = false
    this.#unlink(device)
    this.core.deviceDown(device.id, device.epoch, this.now)
    this.settle()
  }

  tick(): void {
    this.clock.now = Math.max(this.now, this.core.nextDeadline()!)
    this.lateOffers.note(this.now)
    this.core.tick(this.now)
    this.settle()
  }

  accept(attempt: Attempt): void {
    this.#sign(attempt)
    this.core.accepted(attempt.reporter, this.now)
    this.settle()
  }

  progress(attempt: Attempt): void {
    this.#sign(attempt)
    attempt.isLoading = false
    attempt.promptTokens = attempt.client.ticket.promptSize
    this.core.progress(attempt.reporter, attempt.promptTokens, this.now)
    this.settle()
  }

  loading(attempt: Attempt): void {
    this.#sign(attempt)
    attempt.isLoading = true
    this.core.loading(attempt.reporter, this.now)
    this.settle()
  }

  /** The device has loaded the model for this attempt, and says so. */
  loaded({ device, reporter, client: { ticket } }: Attempt): void {
    if (device.isUp && device.epoch === reporter.epoch && device.serves(ticket.model))
      this.changeModels(device, withPresence(device.models, ticket.model, 'loaded'))
  }

  event(attempt: Attempt, sequence: number): void {
    const { client } = attempt
    const isCurrent = client.holds(attempt)
    const isDue = isCurrent && sequence === client.received
    const tokens = tokensOf(sequence)
    if (isCurrent && sequence >= client.received) this.#sign(attempt)
    const verdict = this.core.receive(attempt.reporter, sequence, tokens, this.now, client.isShown)
    demand(verdict === 'deliver' || !isDue, () => `event ${sequence} of ${client.ticket.job} was due and is dropped`)
    if (verdict === 'deliver') this.#deliver(attempt, sequence, tokens)
    const isGap = isCurrent && sequence > client.received
    this.settle()
    demand(!isGap || !client.holds(attempt), () => `${client.ticket.job} goes on although an event is missing`)
  }

  #deliver(attempt: Attempt, sequence: number, tokens: number): void {
    attempt.client.delivered(attempt, sequence)
    attempt.isLoading = false
    attempt.deliveredTokens += tokens
    this.delivered += 1
    this.#mix(sequence)
  }

  end(attempt: Attempt, sequence: number): void {
    const { client } = attempt
    const isDue = client.holds(attempt) && sequence === client.received
    if (isDue) client.allowed.push('ended')
    this.#sign(attempt)
    attempt.isLoading = false
    this.#free(attempt)
    attempt.served.trusted()
    if (!isDue) this.#lose(attempt)
    const cost = client.ticket.cost + this.random.between(-50, 50)
    if (isDue && client.number % 4 > 0) attempt.endTokens = { prompt: 0, completion: cost }
    const verdict = this.core.ended(attempt.reporter, sequence, attempt.endTokens, this.now)
    demand((verdict === 'deliver') === isDue, () => `the end of ${client.ticket.job} got the verdict ${verdict}`)
    this.settle()
    demand(!isDue || client.isFinished, () => `${client.ticket.job} goes on after its end`)
  }

  fail(attempt: Attempt, failure: Failure): void {
    const { client } = attempt
    this.#sign(attempt)
    this.#free(attempt)
    if (client.holds(attempt)) client.failed(failure)
    const isMild = failure.retryable && !failure.crashed
    if (attempt.isLoading && isMild && client.holds(attempt)) this.#loadFailed(attempt)
    else this.#lose(attempt, true)
    this.core.failed(attempt.reporter, failure, this.now)
    this.settle()
  }

  #loadFailed(attempt: Attempt): void {
    attempt.served.refused(this.now)
    attempt.client.putBack(attempt)
    attempt.client.failedOn.push(attempt.reporter.device)
    this.#shaken.push(attempt.client)
  }

  refuse(attempt: Attempt, reason: RefuseReason): void {
    const { client } = attempt
    this.#free(attempt)
    if (attempt.isAccepted) this.#lose(attempt)
    else if (client.holds(attempt)) this.#putBack(attempt, reason)
    this.core.refused(attempt.reporter, reason, this.now)
    this.settle()
  }

  #putBack(attempt: Attempt, reason: RefuseReason): void {
    const isUnable = reason === 'unsupported' || reason === 'wrong-organization'
    if (isUnable) attempt.client.excluded.push(attempt.reporter.device)
    else attempt.served.refused(this.now)
    attempt.client.putBack(attempt)
  }

  /** The device asks for it; the job either stays or is offered to another one at once. */
  handOver(attempt: Attempt): void {
    const { client } = attempt
    const isHeld = client.holds(attempt)
    this.#handsOver = attempt
    this.core.handOver(attempt.reporter, this.now)
    this.settle()
    this.#handsOver = undefined
    if (!isHeld || client.holds(attempt)) return
    demand(!client.isFinished && !client.isWaiting, () => `${client.ticket.job} was handed over to nobody`)
    const next = client.tries.some(({ reporter }) => reporter.device !== attempt.reporter.device)
    demand(next, () => `${client.ticket.job} was handed over to the device that has it`)
  }

  confirm(attempt: Attempt): void {
    this.#free(attempt)
    this.#lose(attempt)
    this.core.cancelConfirmed(attempt.reporter, this.now)
    this.settle()
  }

  /** Carries out the scheduler's decisions. */
  settle(): void {
    const { effects } = this.core
    for (const effect of effects) this.#carryOut(effect)
    effects.length = 0
    for (const client of this.#shaken) client.settled()
    this.#shaken.length = 0
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
    const device = this.devices.get(effect.device)
    if (!device?.isUp || device.epoch !== effect.epoch)
      throw new Violation(`${effect.job} was offered over a link that is gone`)
    checkOffer(client, device, this.devices, this.now)
    const fate = this.isCalm ? goodFate(this.random) : anyFate(this.random, this.limits)
    const { acceptMs } = this.limits
    const attempt = new Attempt(this, client, device, fate, { acceptMs, reportsTokens: effect.reportsTokens })
    demand(attempt.reporter.attempt === effect.attempt, () => `${effect.job} was offered as attempt ${effect.attempt}`)
    if (client.hasPart) this.continued += 1
    client.offered(attempt, this.now)
    this.lateOffers.offered(attempt)
    this.attempts.add(attempt)
    attempt.served.held += 1
    this.#mix(device.id.charCodeAt(device.id.length - 1))
  }

  #cancel(effect: Extract<Effect, { type: 'cancel' }>, client: Client): void {
    const held = [...this.attempts].find(
      ({ client: other, reporter }) => other === client && reporter.attempt === effect.attempt,
    )
    if (held?.reporter.device !== effect.device || held.reporter.epoch !== effect.epoch)
      throw new Violation(`attempt ${effect.attempt} of ${effect.job} is cancelled without holding a slot`)
    demand(!held.isCancelled, () => `attempt ${effect.attempt} of ${effect.job} is cancelled twice`)
    held.isCancelled = true
    this.#lose(held, effect.reason === 'timed-out' || held === this.#handsOver)
    this.clock.after(this.random.between(1, 40), () => held.cancel())
  }

  #finish(effect: Extract<Effect, { type: 'finish' }>, client: Client): void {
    const { outcome, job } = effect
    client.finished(effect, this.now)
    for (const attempt of this.attempts)
      demand(attempt.client !== client || attempt.isCancelled, () => `${job} ended, but a device still works on it`)
    demand(
      outcome.kind !== 'unsupported' || !isDoable(this.devices, client),
      () => `${job} was refused although it could be done`,
    )
    this.finished += 1
    this.outcomes.set(outcome.kind, (this.outcomes.get(outcome.kind) ?? 0) + 1)
    this.clients.delete(job)
    this.#mix(outcome.kind.length)
  }

  /** A sign of life. */
  #sign(attempt: Attempt): void {
    attempt.lastSignAt = this.now
    const { client } = attempt
    if (!client.holds(attempt) || attempt.isAccepted) return
    this.lateOffers.accepted(attempt)
    client.accepted(attempt, this.now)
    this.#shaken.push(client)
    attempt.served.trusted()
  }

  /** It `isFault` if the device failed or took too long; otherwise it was only interrupted. */
  #lose(attempt: Attempt, isFault = false): void {
    const { client } = attempt
    if (client.holds(attempt)) {
      client.lost(attempt, this.now, isFault)
      if (!hasSuccessor(this.devices, client)) client.awaitReturn(this.now)
    }
    this.#shaken.push(client)
  }

  #free(attempt: Attempt): void {
    if (this.attempts.delete(attempt)) {
      attempt.served.held -= 1
      attempt.device.isLate = false
    }
    this.#bury(attempt)
  }

  #unlink(device: Device): void {
    for (const attempt of this.attempts) {
      if (attempt.device !== device) continue
      attempt.vanish()
      this.#lose(attempt)
      this.#bury(attempt)
      this.attempts.delete(attempt)
    }
  }

  #bury(attempt: Attempt): void {
    if (this.past.length < REMEMBERED_ATTEMPTS) this.past.push(attempt)
    else this.past[this.random.between(0, REMEMBERED_ATTEMPTS - 1)] = attempt
  }

  #mix(value: number): void {
    this.hash = Math.imul(this.hash ^ value, 0x01000193) >>> 0
  }
}

/** Sometimes a fraction, as an estimate may be. */
function tokensOf(sequence: number): number {
  return sequence % 3 === 0 ? 0.75 : 1
}
