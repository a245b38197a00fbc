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
//
// `jobs.ts` admits jobs, lets them wait and finishes them. `attempts.ts` has everything between an offer and the end of an attempt.
// `slots.ts` keeps the slots (a lease is one slot held for one attempt). Every call ends with `#serve`: free slots go to waiting jobs.

import type { CancelReason, DeviceModel, RefuseReason } from '@hearth/protocol'
import { Adoption } from './attempts/adopt.ts'
import type { StatedJob } from '../../terms/stated-job.ts'
import { Attempts } from './attempts/attempts.ts'
import { canStart, chooseDevice } from './choice/choose-device.ts'
import { DeviceTable } from './slots/device-table.ts'
import type { FeatureMask } from './state/feature-mask.ts'
import { Forecasts } from './forecasts/forecasts.ts'
import { Hedges } from './attempts/hedges.ts'
import { Jobs } from './attempts/jobs.ts'
import { Lanes } from './lanes.ts'
import { updateOpen } from './slots/open-devices.ts'
import { Occupants, type Occupant } from './attempts/occupants.ts'
import { RankedHeap } from './ranked-heap.ts'
import { Slots } from './slots/slots.ts'
import type { Device, Job, Lane, Timed } from './state/state.ts'
import { collectStats, type SchedulerStats } from './stats.ts'
import type { Effect, Forecast, LinkedDevice, SchedulerLimits } from './types.ts'
import type { Delivered, Failure, Ms, Reporter, Ticket, TokenCount } from '../../terms/job.ts'

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
  readonly #attempts: Attempts
  readonly #adoption: Adoption
  readonly #occupants: Occupants
  /** Used while a lane is served; kept so that it is not allocated for every job. */
  readonly #outOfReach = new Set<FeatureMask>()
  #isHeld = false

  constructor(limits: SchedulerLimits) {
    this.#forecasts = new Forecasts(limits.sampleMs)
    const shared = { hedges: this.#hedges, deadlines: this.#deadlines, effects: this.effects, limits }
    this.#jobs = new Jobs({ ...shared, lanes: this.#lanes, forecasts: this.#forecasts })
    const own = { jobs: this.#jobs, slots: this.#slots }
    this.#attempts = new Attempts({ ...shared, ...own })
    this.#adoption = new Adoption({ ...own, devices: this.#devices, attempts: this.#attempts })
    this.#occupants = new Occupants({ ...own, devices: this.#devices, limits })
  }

  // Clients.

  /** `requestBytes` is what a device has to receive before it can answer. */
  submit(ticket: Ticket, now: Ms, requestBytes = 0): void {
    const job = this.#jobs.admit(ticket, requestBytes, now)
    if (job === undefined) return
    this.#placeNew(job, now)
    this.#forecasts.sample(job, now)
    if (job.state.name !== 'waiting') return
    const scope = this.#jobs.bounds.exceeded(ticket.organization, ticket.key)
    if (scope !== undefined) this.#jobs.rejectFull(job, scope, now)
  }

  /** Most jobs come while a slot is free and nobody waits: then there is no need to put them in line first. */
  #placeNew(job: Job, now: Ms): void {
    const { lane } = job
    const isNext = lane.queue.length === 0 && lane.late.size === 0 && this.#lanes.touched.length === 0 && !this.#isHeld
    const served = isNext ? chooseDevice(job, lane) : undefined
    if (served !== undefined) return this.#attempts.offer(job, served, now)
    this.#jobs.wait(job)
    this.#serve(now)
  }

  cancel(job: string, reason: CancelReason, now: Ms): void {
    const found = this.#jobs.get(job)
    if (found === undefined) return
    this.#attempts.abandon(found, { kind: 'cancelled' }, reason, now)
    this.#serve(now)
  }

  /** The reply is too long to be recorded: no other device continues it. */
  stopRecording(job: string): void {
    this.#jobs.stopRecording(job)
  }

  // Jobs that another scheduler decided about before.

  /** Offers nothing until `settle`: devices and jobs that are adopted have to find each other first. */
  hold(): void {
    this.#isHeld = true
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
    this.#serve(now)
  }

  settle(now: Ms): void {
    this.#isHeld = false
    this.#serve(now)
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
    this.#serve(now)
  }

  deviceDown(device: string, epoch: number, now: Ms): void {
    const found = this.#devices.find(device, epoch)
    if (found === undefined) return
    this.#unlink(found, now)
    this.#serve(now)
  }

  #announce(device: Device, models: readonly DeviceModel[], now: Ms): void {
    for (const { lane, features } of this.#devices.announce(device, models)) {
      this.#lanes.touch(lane)
      this.#jobs.refuseUnsupported(lane, features, now)
    }
    this.#serve(now)
  }

  #unlink(device: Device, now: Ms): void {
    this.#devices.unlink(device)
    for (const served of device.served.values()) this.#slots.forget(served)
    for (const lease of device.leases.slice()) this.#attempts.lost(lease, now)
  }

  // Reports from devices about their attempts.

  accepted(from: Reporter, now: Ms): void {
    this.#attempts.accepted(from, now)
    this.#serve(now)
  }

  refused(from: Reporter, reason: RefuseReason, now: Ms): void {
    this.#attempts.refused(from, reason, now)
    this.#serve(now)
  }

  /** `promptTokens` is the length of the prompt, if the device reported it. */
  progress(from: Reporter, promptTokens: number | undefined, now: Ms): void {
    this.#attempts.progress(from, promptTokens, now)
    this.#serve(now)
  }

  delivered(from: Reporter, delivered: Delivered, now: Ms): void {
    this.#attempts.delivered(from, delivered, now)
    this.#serve(now)
  }

  /** The device loads the model first: until it has, the job counts as waiting. */
  loading(from: Reporter, now: Ms): void {
    this.#attempts.loading(from, now)
    this.#serve(now)
  }

  /** `tokens` is undefined if the device did not count them: then the delivered tokens count. */
  ended(from: Reporter, tokens: TokenCount | undefined, now: Ms): void {
    this.#attempts.ended(from, tokens, now)
    this.#serve(now)
  }

  failed(from: Reporter, failure: Failure, now: Ms): void {
    this.#attempts.failed(from, failure, now)
    this.#serve(now)
  }

  /** The device sent nonsense about the attempt and is told to stop. */
  faulted(from: Reporter, now: Ms): void {
    this.#attempts.faulted(from, now)
    this.#serve(now)
  }

  /** The owner of the device wants it back: the job goes to another device if one can take it right now, and otherwise runs on. */
  handOver(from: Reporter, now: Ms): void {
    this.#attempts.handOver(from, now)
    this.#serve(now)
  }

  cancelConfirmed(from: Reporter, now: Ms): void {
    this.#attempts.cancelConfirmed(from, now)
    this.#serve(now)
  }

  // Administrators.

  /** Jobs that wait for the model end; those that run may finish, but are not run again. */
  modelClosed(organization: string, model: string, now: Ms): void {
    const lane = this.#lanes.find(organization, model)
    for (const job of this.#jobs.all()) {
      if (job.lane !== lane) continue
      job.isModelClosed = true
      lane?.late.delete(job)
      if (job.state.name === 'waiting') this.#jobs.finish(job, { kind: 'model-disabled' }, now)
    }
  }

  /** Whether the job still depends on this attempt. */
  holds(from: Reporter): boolean {
    return this.#attempts.holds(from)
  }

  /** Attempts that were given up, and that the device has not confirmed. */
  givenUp(device: string, epoch: number): Reporter[] {
    const leases = [...(this.#devices.find(device, epoch)?.leases ?? [])]
    return leases
      .filter(({ state }) => state !== 'held')
      .map(({ job, attempt }) => ({ device, epoch, job: job.ticket.job, attempt }))
  }

  /** The forecast of the time to the first event, made at the submission; undefined for most jobs: only samples are compared. */
  expectedMs(job: string): Ms | undefined {
    return this.#jobs.get(job)?.forecast?.firstEventMs
  }

  /** Where the jobs of a key are in line, and when their first events are expected: of those that have sent none. */
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
    this.#serve(now)
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

  // Free slots go to waiting jobs.

  #serve(now: Ms): void {
    const { touched } = this.#lanes
    if (touched.length === 0 || this.#isHeld) return
    // Serving a lane may touch others, which then come after it.
    for (let index = 0; index < touched.length; index++) this.#serveLane(touched[index]!, now)
    for (const lane of touched) lane.isTouched = false
    touched.length = 0
  }

  #serveLane(lane: Lane, now: Ms): void {
    this.#hedges.serve(lane, (job, served) => this.#attempts.hedge(job, served, now))
    const couldStart = (job: Job) => canStart(job, lane, this.#outOfReach)
    // An offer only takes devices away, so features that no open device has stay out of reach in this loop. Only a device that has to
    // load its model for an offer then comes within reach of other jobs.
    if (this.#outOfReach.size > 0) this.#outOfReach.clear()
    while (lane.queue.length > 0 && lane.open.length > 0) {
      const job = lane.queue.next(couldStart)
      const served = job && chooseDevice(job, lane)
      if (served === undefined) return
      this.#jobs.leaveQueue(job!)
      this.#attempts.offer(job!, served, now)
      if (served.presence === 'loadable') this.#outOfReach.clear()
    }
  }

  stats(now: Ms): SchedulerStats {
    return collectStats({ jobs: this.#jobs, lanes: this.#lanes, devices: this.#devices, hedges: this.#hedges }, now)
  }
}
