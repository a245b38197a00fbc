// The scheduler decides which device runs which job, and when. Clients, devices, administrators and time call its methods; it answers
// with effects. It is pure: no timers, no I/O, no clock of its own. After each call the caller carries out `effects`; when `nextDeadline`
// has come, it calls `tick`.
//
// A job     submit ──▶ waiting ──offer──▶ offered ──accept──▶ running ──end──▶ finished
//                       ▲   ▲                │                   │
//                       │   └─ put back ─────┘                   │
//                       └───── lost, tried again ────────────────┘
//
//           An offer that is not answered within a second is made to a second device too. Accepting stops the other one.
//
//           Any state leads to finished when the client leaves, the key is revoked, time is up, no attempt is left, or the gateway
//           shuts down.
//
// Its slot  held ──────────────────────────────────▶ released     the device said that the attempt is over, or its link is gone
//             └─ stop ──▶ stopping ────────────────▶ released     the gateway gave the attempt up, and the device may still work on it:
//                            └─ silence ──▶ suspect ▶ released    the slot stays taken until the device says otherwise
// `jobs.ts` admits jobs, lets them wait and finishes them. `attempts.ts` has everything between an offer and the end of an attempt.
// `slots.ts` keeps the slots (a lease is one slot held for one attempt). Every call ends with `allocator.ts`: free slots go to waiting jobs.

import type { CancelReason, DeviceModel, RefuseReason } from '@hearth/protocol'
import type { Failure } from '@hearth/chat'
import { Adoption } from './attempts/adopt.ts'
import type { StatedJob } from '../../terms/stated-job.ts'
import { Attempts } from './attempts/attempts.ts'
import { Allocator } from './allocator.ts'
import { Offers } from './attempts/offers.ts'
import { DeviceTable } from './slots/device-table.ts'
import { Forecasts } from './forecasts/forecasts.ts'
import { Hedges } from './attempts/hedges.ts'
import { Jobs } from './attempts/jobs.ts'
import { Lanes } from './lanes.ts'
import { updateOpen } from './slots/open-devices.ts'
import { Occupants, type Occupant } from './attempts/occupants.ts'
import { RankedHeap } from './ranked-heap.ts'
import { Slots } from './slots/slots.ts'
import type { Device, Timed } from './state/state.ts'
import { collectStats, type SchedulerStats } from './stats.ts'
import type { Effect, Forecast, LinkedDevice, SchedulerLimits } from './types.ts'
import type { Delivered, Ms, Reporter, Ticket, TokenCount } from '../../terms/job.ts'

export class SchedulerCore {
  /** Decisions, in order. The caller carries them out and empties the list; calls made in the meantime add to its end. */
  readonly effects: Effect[] = []
  readonly #lanes = new Lanes()
  readonly #deadlines = new RankedHeap<Timed>()
  readonly #devices = new DeviceTable(this.#lanes)
  readonly #slots = new Slots(this.#lanes, this.#deadlines)
  readonly #hedges = new Hedges(this.#lanes, this.#deadlines)
  readonly #forecasts: Forecasts
  readonly #jobs: Jobs
  readonly has = (job: string): boolean => this.#jobs.get(job) !== undefined
  readonly #attempts: Attempts
  readonly #adoption: Adoption
  readonly #occupants: Occupants
  readonly #offers: Offers
  readonly #allocator: Allocator

  constructor(limits: SchedulerLimits) {
    this.#forecasts = new Forecasts(limits.sampleMs)
    const shared = { hedges: this.#hedges, deadlines: this.#deadlines, effects: this.effects, limits }
    this.#jobs = new Jobs({ ...shared, lanes: this.#lanes, forecasts: this.#forecasts })
    const own = { jobs: this.#jobs, slots: this.#slots }
    this.#offers = new Offers({ ...shared, slots: this.#slots })
    this.#attempts = new Attempts({ ...shared, ...own })
    this.#allocator = new Allocator({ ...shared, jobs: this.#jobs, lanes: this.#lanes, offers: this.#offers })
    this.#adoption = new Adoption({ ...own, devices: this.#devices, attempts: this.#attempts, offers: this.#offers })
    this.#occupants = new Occupants({ ...own, devices: this.#devices, limits })
  }

  // Clients.

  /** `requestBytes` is what a device has to receive before it can answer. */
  submit(ticket: Ticket, now: Ms, requestBytes = 0): void {
    const job = this.#jobs.admit(ticket, requestBytes, now)
    if (job === undefined) return
    this.#allocator.place(job, now)
    this.#forecasts.sample(job, now)
    if (job.state.name !== 'waiting') return
    const scope = this.#jobs.bounds.exceeded(ticket.organization, ticket.key)
    if (scope !== undefined) this.#jobs.rejectFull(job, scope, now)
  }

  cancel(job: string, reason: CancelReason, now: Ms): void {
    const found = this.#jobs.get(job)
    if (found === undefined) return
    this.#attempts.abandon(found, { kind: 'cancelled' }, reason, now)
    this.#allocator.serve(now)
  }

  /** The reply is too long to be recorded: no other device continues it. */
  stopRecording(job: string): void {
    this.#jobs.stopRecording(job)
  }

  // Jobs that another scheduler decided about before.

  /** Offers nothing until `settle`: devices and jobs that are adopted have to find each other first. */
  hold(): void {
    this.#allocator.isHeld = true
  }

  adopt(job: StatedJob, now: Ms): void {
    this.#adoption.adopt(job, now)
  }

  /** Nobody hears of its end. */
  forget(job: string): void {
    this.#adoption.forget(job)
  }

  /** All attempts of the job that hold a slot. */
  attemptsOf(job: string): Occupant[] {
    return this.#occupants.of(job)
  }

  /** The device may still work on an attempt that no job here counts on. Returns false if it has its slot, or the device is gone. */
  occupy(occupant: Occupant, now: Ms): boolean {
    return this.#occupants.add(occupant, now)
  }

  /** The device no longer works on the attempt. Changes nothing for a job that counts on it. */
  vacate(from: Reporter, now: Ms): void {
    this.#occupants.remove(from)
    this.#attempts.freeGivenUp(from)
    this.#allocator.serve(now)
  }

  settle(now: Ms): void {
    this.#allocator.isHeld = false
    this.#allocator.serve(now)
  }

  // Links to devices.

  /** A newer link of the same device takes its place: attempts over the old one are lost. */
  deviceUp(linked: LinkedDevice, now: Ms): void {
    const current = this.#devices.current(linked.device)
    if (current !== undefined && current.epoch >= linked.epoch) return
    if (current !== undefined) this.#unlink(current, now)
    this.#announce(this.#devices.link(linked), linked.models, now)
  }

  deviceModels(device: string, epoch: number, models: readonly DeviceModel[], now: Ms): void {
    const found = this.#devices.find(device, epoch)
    if (found !== undefined) this.#announce(found, models, now)
  }

  /** The device gets no more offers and finishes what it has. */
  deviceDraining(device: string, epoch: number, now: Ms): void {
    const found = this.#devices.find(device, epoch)
    if (found === undefined) return
    found.isDraining = true
    for (const served of found.served.values()) {
      updateOpen(served)
      this.#lanes.touch(served.lane)
    }
    this.#allocator.serve(now)
  }

  deviceDown(device: string, epoch: number, now: Ms): void {
    const found = this.#devices.find(device, epoch)
    if (found === undefined) return
    this.#unlink(found, now)
    this.#allocator.serve(now)
  }

  #announce(device: Device, models: readonly DeviceModel[], now: Ms): void {
    for (const { lane, features } of this.#devices.announce(device, models)) {
      this.#lanes.touch(lane)
      this.#jobs.refuseUnsupported(lane, features, now)
    }
    this.#allocator.serve(now)
  }

  #unlink(device: Device, now: Ms): void {
    this.#devices.unlink(device)
    for (const served of device.served.values()) this.#slots.forget(served)
    for (const lease of device.leases.slice()) this.#attempts.lost(lease, now)
  }

  // Reports from devices about their attempts.

  accepted(from: Reporter, now: Ms): void {
    this.#attempts.accepted(from, now)
    this.#allocator.serve(now)
  }

  refused(from: Reporter, reason: RefuseReason, now: Ms): void {
    this.#attempts.refused(from, reason, now)
    this.#allocator.serve(now)
  }

  /** `promptTokens` is the length of the prompt, if the device reported it. */
  progress(from: Reporter, promptTokens: number | undefined, now: Ms): void {
    this.#attempts.progress(from, promptTokens, now)
    this.#allocator.serve(now)
  }

  delivered(from: Reporter, delivered: Delivered, now: Ms): void {
    this.#attempts.delivered(from, delivered, now)
    this.#allocator.serve(now)
  }

  /** The device loads the model first: until it has, the job counts as waiting. */
  loading(from: Reporter, now: Ms): void {
    this.#attempts.loading(from, now)
    this.#allocator.serve(now)
  }

  /** `tokens` is undefined if the device did not count them: then the delivered tokens count. */
  ended(from: Reporter, tokens: TokenCount | undefined, now: Ms): void {
    this.#attempts.ended(from, tokens, now)
    this.#allocator.serve(now)
  }

  failed(from: Reporter, failure: Failure, now: Ms): void {
    this.#attempts.failed(from, failure, now)
    this.#allocator.serve(now)
  }

  /** The device sent nonsense about the attempt, so it has to stop. */
  faulted(from: Reporter, now: Ms): void {
    this.#attempts.faulted(from, now)
    this.#allocator.serve(now)
  }

  /** The owner of the device wants it back: the job goes to another device if one can take it right now, and otherwise runs on. */
  handOver(from: Reporter, now: Ms): void {
    this.#attempts.handOver(from, now)
    this.#allocator.serve(now)
  }

  cancelConfirmed(from: Reporter, now: Ms): void {
    this.#attempts.cancelConfirmed(from, now)
    this.#allocator.serve(now)
  }

  // Administrators.

  /** Jobs that wait for the model end; those that run may finish, but are not run again. */
  modelClosed(organization: string, model: string, now: Ms): void {
    const lane = this.#lanes.find(organization, model)
    if (lane !== undefined) this.#jobs.closeModel(lane, now)
  }

  /** Whether the job still depends on this attempt. */
  holds(from: Reporter): boolean {
    return this.#attempts.holds(from)
  }

  /** Attempts that were given up, and that the device has not confirmed. */
  givenUp(device: string, epoch: number): Reporter[] {
    return this.#occupants.givenUp(device, epoch)
  }

  /** The forecast of the time to the first event, made at submission; undefined for most jobs: only samples are compared. */
  expectedMs(job: string): Ms | undefined {
    return this.#jobs.get(job)?.forecast?.firstEventMs
  }

  /** The places in line of a key's jobs that have sent nothing yet, and when their first events are expected. */
  *forecasts(key: string, now: Ms): Generator<readonly [job: string, forecast: Forecast]> {
    for (const job of this.#jobs.all()) {
      const forecast = job.ticket.key === key ? this.#forecasts.of(job, now) : undefined
      if (forecast !== undefined) yield [job.ticket.job, forecast]
    }
  }

  // Time.

  nextDeadline(): Ms | undefined {
    return this.#deadlines.first()?.rank
  }

  tick(now: Ms): void {
    for (let due = this.#deadlines.first(); due !== undefined && due.rank <= now; due = this.#deadlines.first()) {
      this.#deadlines.remove(due)
      this.#timeIsUp(due, now)
    }
    this.#allocator.serve(now)
  }

  #timeIsUp(due: Timed, now: Ms): void {
    switch (due.kind) {
      case 'job':
        return this.#jobs.timeIsUp(due, now)
      case 'lease':
        return this.#attempts.timeIsUp(due, now)
      case 'served':
        return this.#slots.approach(due)
      default:
        due satisfies never
    }
  }

  stats(now: Ms): SchedulerStats {
    return collectStats({ jobs: this.#jobs, lanes: this.#lanes, devices: this.#devices, hedges: this.#hedges }, now)
  }
}
