// Leases the slots of one organization: decides which job gets a slot of which device, and when. It knows nothing of what jobs do with a slot,
// and nothing of gateways but their names. It is pure: no timers, no I/O, no clock of its own. After each call the caller carries out
// `decisions`; when `nextDeadline` has come, it calls `tick`.
//
// In    request, withdraw                    from the gateway that has the job
//       accepted, late, settle               what became of a lease there
//       reported, hubAway, hubSynced, deviceDown, freed    from the hub of the device, which alone knows which slots are taken
// Out   lease, decline
//
// A lease   held ──settled──▶ stopping ──freed──▶ over      `leases.ts`; the hub may also say first that the slot is free
//             │                  └─silence──▶ suspect       the slot stays taken until the device says otherwise
//             └──device gone──▶ lost ──settled──▶ over      nobody is served until its job has asked again, or needs nothing more
//
// `waiting-jobs.ts` has the jobs that wait. Every call ends with `serve`: free slots go to waiting jobs.

import { RankedHeap } from '../../../time/ranked-heap.ts'
import type { SlotRequest, Ms, Settlement } from '../../terms/job.ts'
import type { SlotReport, LeaseOf } from '../../terms/messages.ts'
import { Budgets, NO_BUDGETS, type KnownBudgets } from './budgets.ts'
import {
  hasOpenDevice,
  chooseDevice,
  chooseSecond,
  chooseSuccessor,
  hasDevice,
  isLikeOthers,
  reportedFile,
} from './choose-device.ts'
import { DeviceTable } from './device-table.ts'
import type { FeatureMask } from './feature-mask.ts'
import { Forecasts } from './forecasts/forecasts.ts'
import { firstEventLeft } from './forecasts/held-time.ts'
import { ModelQueues } from './model-queues.ts'
import { Plan } from './plan.ts'
import { Leases } from './leases.ts'
import { findUnsupported, WaitingJobs } from './waiting-jobs.ts'
import { updateDevice } from './served-model.ts'
import type { QueuedJob, LinkedDevice, Held, ModelQueue, ServedModel, Timed } from './state.ts'
import { collectStats, type SchedulerStats } from './stats.ts'
import type { Decision, Forecast, SchedulerLimits } from './types.ts'

/** How many jobs of a model wait for a faster slot while another one is free. */
const MOST_HELD_BACK = 250
/** Such jobs look again when the slot should be free, and at most this often if it is not. */
const LOOK_AGAIN_MS = 20

type ReportedDevice = Omit<SlotReport, 'boot' | 'address'> & { boot?: string; hub?: string }

export class Scheduler {
  /** In order. The caller carries them out and empties the list; calls made in the meantime add to its end. */
  readonly decisions: Decision[] = []
  /** Devices whose hubs have to report again after that: they may never have seen a lease. The caller empties it too. */
  readonly reportsWanted: LinkedDevice[] = []
  readonly #limits: SchedulerLimits
  readonly #queues = new ModelQueues()
  readonly #deadlines = new RankedHeap<Timed>()
  readonly #devices = new DeviceTable(this.#queues)
  readonly #forecasts: Forecasts
  readonly #budgets: Budgets
  readonly #waiting: WaitingJobs
  readonly #leases: Leases
  /** Used while a queue is served; kept so that it is not allocated for every job. */
  readonly #outOfReach = new Set<FeatureMask>()
  /** Nothing is leased for now. */
  isHeld = false
  /** Not all gateways have said yet what they know: nobody is declined before that. */
  #isGathering = false

  /** Numbers of leases are unique among all schedulers. */
  constructor(limits: SchedulerLimits, nextLease: () => number, known: KnownBudgets = NO_BUDGETS) {
    this.#limits = limits
    this.#budgets = new Budgets(known)
    this.#forecasts = new Forecasts(limits.sampleMs)
    const shared = { queues: this.#queues, deadlines: this.#deadlines, budgets: this.#budgets, limits }
    this.#waiting = new WaitingJobs({ ...shared, decisions: this.decisions, forecasts: this.#forecasts })
    this.#leases = new Leases({ ...shared, reportsWanted: this.reportsWanted, nextNumber: nextLease })
  }

  /** Jobs that wait for a slot. */
  get waiting(): number {
    return this.#waiting.size
  }

  get devices(): Pick<DeviceTable, 'size' | 'current' | 'find'> {
    return this.#devices
  }

  /** Those that are waited for, and those that devices have. */
  models(): string[] {
    return Array.from(this.#queues.all(), ({ model }) => model)
  }

  /** Whether some device takes jobs for the model. */
  serves(model: string): boolean {
    return this.#queues.find(model)?.served.some(({ device }) => !device.isDraining) ?? false
  }

  // Jobs.

  /** Takes the place of what the job has asked for before. */
  request(front: string, request: SlotRequest, now: Ms): void {
    const before = this.#waiting.get(request.ticket.job)
    if (before !== undefined) this.#waiting.remove(before)
    const job = this.#waiting.read(front, request, now)
    if (request.want === 'move') return this.#move(job, now)
    if (request.want === 'slot' && !this.#admit(job, now)) return
    if (!this.#leaseAtOnce(job, now)) {
      this.#waiting.enter(job)
      this.serve(now)
      this.#check(job, now)
    }
  }

  withdraw(id: string, now: Ms): void {
    const job = this.#waiting.get(id)
    if (job !== undefined) this.#waiting.remove(job)
    this.serve(now)
  }

  /** Returns false if it is declined. */
  #admit(job: QueuedJob, now: Ms): boolean {
    const isOver = now >= job.waitUntil
    const outcome = isOver ? this.#waiting.noDevice(job, now) : job.isFirst ? this.#unsupported(job) : undefined
    if (outcome !== undefined) {
      this.#waiting.reject(job, outcome)
      return false
    }
    if (!this.#isGathering) this.#decideStart(job, now)
    job.queue.waiting.join(job.ticket.key)
    return true
  }

  #unsupported(job: QueuedJob) {
    return this.#isGathering ? undefined : findUnsupported(job)
  }

  // A begun reply is continued where that is possible. A whole reply starts over on any device rather than wait for a particular one.
  #decideStart(job: QueuedJob, now: Ms): void {
    if (job.begun === undefined || hasDevice(job)) return
    if (!job.mustContinue) return void (job.begun = undefined)
    job.waitUntil = Math.min(job.waitUntil, now + this.#limits.returnMs)
    job.isShortened = true
  }

  /** Most jobs come while a slot is free and nobody waits: then there is no need to put them in line first. */
  #leaseAtOnce(job: QueuedJob, now: Ms): boolean {
    const { queue, want } = job
    if (want !== 'slot' || this.isHeld || this.#queues.touched.length > 0) return false
    if (queue.waiting.length > 0 || queue.seconds.size > 0 || queue.lost.size > 0) return false
    if (this.#budgets.mustWait(job) || this.#budgets.usedUp(job) !== undefined) return false
    const choice = chooseDevice(job)
    if (choice.best === undefined || (queue.busy.size > 0 && new Plan(now).holdBack(job, choice))) return false
    this.#lease(job, choice.best, now, true)
    return true
  }

  #move(job: QueuedJob, now: Ms): void {
    const served = this.isHeld ? undefined : chooseSuccessor(job)
    if (served === undefined) return this.#queues.tidy(job.queue)
    job.queue.waiting.join(job.ticket.key)
    this.#lease(job, served, now)
    // A device that loads the model for it comes within reach of jobs that wait.
    this.#queues.touch(job.queue)
    this.serve(now)
  }

  /** A job that was never in line before may be one too many. */
  #check(job: QueuedJob, now: Ms): void {
    if (!job.isFirst || this.#waiting.get(job.ticket.job) !== job) return
    if (this.#forecasts.sample(job.queue, now)) job.expectedMs = this.#forecasts.ofQueued(job, now).firstEventMs
    this.#waiting.declineIfFull(job, now)
  }

  #lease(job: QueuedJob, served: ServedModel, now: Ms, isAtOnce = false): void {
    const { ticket, want, queue, isFirst, begun, isShortened, waitUntil } = job
    const held = this.#leases.take(job, served, now)
    if (isAtOnce && isFirst && this.#forecasts.sample(queue, now)) job.expectedMs = firstEventLeft(held, now)
    const lease = {
      lease: held.number,
      job: ticket.job,
      want,
      device: served.device.id,
      epoch: served.device.epoch,
      edition: served.device.edition,
      hub: served.device.hub,
      file: reportedFile(served),
      isContinued: begun !== undefined,
      isLate: served.device.isLate,
      waitMs: isShortened ? waitUntil - now : undefined,
      expectedMs: job.expectedMs,
    }
    this.decisions.push({ type: 'lease', front: job.front, lease })
  }

  // Leases.

  /** The device has accepted the job. */
  accepted({ device, lease }: LeaseOf, now: Ms): void {
    const held = this.#find(device, lease)
    if (held === undefined) return
    held.isAccepted = true
    this.#leases.trust(held.served)
    this.#leases.setLate(held.served.device, false)
    this.serve(now)
  }

  /** These devices have not answered in the usual time: others are preferred until they do. */
  late(leases: readonly LeaseOf[], now: Ms): void {
    for (const { device, lease } of leases) {
      const held = this.#find(device, lease)
      if (held !== undefined) this.#leases.setLate(held.served.device, true)
    }
    this.serve(now)
  }

  /** With `again`, the same job wants another slot: nobody gets the one that it gave back before it has requested one. */
  settle(
    front: string,
    { device, lease }: LeaseOf,
    settlement: Settlement,
    again: SlotRequest | undefined,
    now: Ms,
  ): void {
    const queue = this.#queues.find(settlement.model)
    queue?.waiting.spend(settlement.key, settlement.tokens)
    const lost = queue?.lost.get(lease)
    if (lost === undefined) this.#settle(this.#find(device, lease), settlement, now)
    else this.#leases.forget(lost)
    if (again === undefined) this.serve(now)
    else this.request(front, again, now)
  }

  #settle(held: Held | undefined, settlement: Settlement, now: Ms): void {
    if (held === undefined) return
    const { device } = held.served
    this.#leases.settle(held, settlement, now)
    if (held.isFreed) this.#leases.setLate(device, false)
    if (settlement.kind === 'lost') this.#setAway(device)
  }

  /** The hub says that the slot is free. */
  freed({ device, lease }: LeaseOf, now: Ms): void {
    const held = this.#find(device, lease)
    if (held === undefined) return
    this.#leases.free(held)
    this.#leases.setLate(held.served.device, false)
    this.serve(now)
  }

  #find(device: string, number: number): Held | undefined {
    return this.#devices.current(device)?.leases.find((held) => held.number === number)
  }

  /** The gateway is gone, or can't be reached. */
  forgetFront(front: string, now: Ms): void {
    for (const job of this.#waiting.all()) if (job.front === front) this.#waiting.remove(job)
    for (const device of this.#devices.all())
      for (const held of device.leases.filter((one) => one.front === front)) this.#leases.abandon(held, now)
    for (const queue of this.#queues.all())
      for (const held of queue.lost.values()) if (held.front === front) this.#leases.forget(held)
    this.serve(now)
  }

  // Devices.

  /**
   * A device as its hub reports it. A newer link takes the place of the older one. A new edition says anew which slots are taken: all other
   * leases are void.
   */
  reported(
    { device: id, epoch, edition, models, isDraining, taken, hub = '', boot = '' }: ReportedDevice,
    now: Ms,
  ): void {
    const current = this.#devices.current(id)
    if (current !== undefined && current.epoch > epoch) return
    const isKnown = current?.epoch === epoch
    if (current !== undefined && !isKnown) this.#unlink(current, now)
    const device = isKnown ? current : this.#devices.link(id, epoch, hub, boot)
    this.#devices.announce(device, models, now, (queue, features) => {
      this.#queues.touch(queue)
      if (!this.#isGathering) this.#waiting.declineUnsupported(queue, features)
    })
    const isNews = device.edition !== edition || device.isDraining !== isDraining
    if (device.edition !== edition) this.#reportAnew(device, edition, taken, now)
    device.isDraining = isDraining
    if (isNews) updateDevice(device, this.#queues)
    this.serve(now)
  }

  #reportAnew(device: LinkedDevice, edition: number, taken: ReportedDevice['taken'], now: Ms): void {
    device.edition = edition
    device.isAway = false
    const numbers = new Set(taken.map(({ lease }) => lease))
    for (const held of device.leases.slice()) if (!numbers.has(held.number)) this.#leases.drop(held, now)
    for (const { lease, model } of taken) {
      const served = device.served.get(model)
      const isKnown = device.leases.some(({ number }) => number === lease)
      if (served !== undefined && !isKnown) this.#leases.occupy(lease, served, now)
    }
  }

  /** The gateway can't be reached: nothing is leased on its devices until it reports them again. */
  hubAway(hub: string): void {
    for (const device of this.#devices.all()) if (device.hub === hub) this.#setAway(device)
  }

  /** The gateway has reported all its devices, or is gone with them. */
  hubSynced(hub: string, now: Ms): void {
    for (const { id, epoch, hub: own, isAway } of this.#devices.all())
      if (own === hub && isAway) this.deviceDown(id, epoch, now)
  }

  deviceDown(id: string, epoch: number, now: Ms): void {
    const device = this.#devices.find(id, epoch)
    if (device === undefined) return
    this.#unlink(device, now)
    this.serve(now)
  }

  #setAway(device: LinkedDevice): void {
    device.isAway = true
    updateDevice(device, this.#queues)
  }

  #unlink(device: LinkedDevice, now: Ms): void {
    this.#devices.unlink(device)
    for (const held of device.leases.slice()) this.#leases.drop(held, now)
    for (const served of device.served.values()) {
      this.#deadlines.remove(served)
      this.#queues.touch(served.queue)
    }
  }

  // Who gets a slot.

  /** Until `open`, gateways say what they know: nothing is leased, and nobody is declined. */
  gather(): void {
    this.#isGathering = true
    this.isHeld = true
  }

  open(now: Ms): void {
    this.#isGathering = false
    for (const job of this.#waiting.all()) {
      const outcome = job.isFirst ? findUnsupported(job) : undefined
      if (outcome !== undefined) this.#waiting.decline(job, outcome)
      else if (job.begun !== undefined && job.want === 'slot') this.#admitAgain(job, now)
    }
    this.isHeld = false
    this.serve(now)
  }

  #admitAgain(job: QueuedJob, now: Ms): void {
    this.#waiting.leave(job)
    this.#decideStart(job, now)
    this.#waiting.enter(job)
  }

  serve(now: Ms): void {
    const { touched } = this.#queues
    if (touched.length === 0 || this.isHeld) return
    // Serving a queue may touch others, which then come after it.
    for (const queue of touched) this.#serveQueue(queue, now)
    for (const queue of touched) queue.isTouched = false
    touched.length = 0
  }

  #serveQueue(queue: ModelQueue, now: Ms): void {
    this.#deadlines.remove(queue)
    if (queue.lost.size > 0) return
    if (queue.seconds.size > 0) this.#serveSeconds(queue, now)
    if (queue.waiting.length > 0 && queue.open.size > 0) this.#serveWaiting(queue, now)
  }

  #serveWaiting(queue: ModelQueue, now: Ms): void {
    const plan = new Plan(now)
    const heldBack = new Set<QueuedJob>()
    // A key's jobs come one after another, and one that has to wait for what is reserved is like the next.
    let waiting = ''
    const couldStart = (job: QueuedJob) => {
      if (heldBack.has(job)) return false
      if (!hasOpenDevice(job, this.#outOfReach)) return false
      if (job.begun !== undefined) return true
      if (job.ticket.key !== waiting && this.#budgets.mustWait(job)) waiting = job.ticket.key
      return job.ticket.key !== waiting
    }
    // A lease only takes devices away, so features that no open device has stay out of reach in this loop. Only a device that has to
    // load its model for a lease then comes within reach of other jobs.
    if (this.#outOfReach.size > 0) this.#outOfReach.clear()
    while (queue.waiting.length > heldBack.size && queue.open.size > 0) {
      waiting = ''
      const job = queue.waiting.next(couldStart)
      const used = job && this.#budgets.usedUp(job)
      if (job !== undefined && used !== undefined) {
        this.#waiting.decline(job, used)
        continue
      }
      const choice = job && chooseDevice(job)
      const served = choice?.best
      if (job === undefined || served === undefined) break
      if (heldBack.size < MOST_HELD_BACK && plan.holdBack(job, choice!)) {
        heldBack.add(job)
        queue.waiting.passOver(job)
        continue
      }
      this.#waiting.leave(job)
      this.#lease(job, served, now)
      if (served.presence === 'loadable') this.#outOfReach.clear()
    }
    if (heldBack.size === 0) return
    queue.waiting.forgetPassed()
    this.#deadlines.put(queue, now + Math.max(LOOK_AGAIN_MS, plan.nextMs))
  }

  /** Jobs that want a second device had their turn before all that wait. */
  #serveSeconds(queue: ModelQueue, now: Ms): void {
    this.#outOfReach.clear()
    for (const job of queue.seconds) {
      if (queue.open.size === 0) return
      if (this.#outOfReach.has(job.features)) continue
      const served = chooseSecond(job)
      if (served === undefined && this.#avoidsLate(job)) this.#outOfReach.add(job.features)
      if (served === undefined) continue
      this.#waiting.leave(job)
      queue.waiting.join(job.ticket.key)
      this.#lease(job, served, now)
    }
  }

  /** It avoids only a late device, which no job gets as its second. So no other job with these features will find one either. */
  #avoidsLate(job: QueuedJob): boolean {
    const [avoided, other] = job.avoided ?? []
    if (!isLikeOthers(job) || avoided === undefined || other !== undefined) return false
    return this.#devices.current(avoided)?.isLate === true
  }

  // Time.

  nextDeadline(): Ms | undefined {
    return this.#deadlines.first()?.rank
  }

  tick(now: Ms): void {
    for (let due = this.#deadlines.first(); due !== undefined && due.rank <= now; due = this.#deadlines.first()) {
      this.#deadlines.remove(due)
      if (due.kind === 'job') this.#waiting.timeIsUp(due, now)
      else if (due.kind === 'served') this.#leases.approach(due)
      else if (due.kind === 'queue') this.#queues.touch(due)
      else if (due.state === 'lost') this.#leases.forget(due)
      else this.#leases.suspect(due)
    }
    this.serve(now)
  }

  /** The places in line of a key's jobs, and when the first events of those that have a slot are expected. */
  *forecasts(key: string, now: Ms): Generator<readonly [job: string, forecast: Forecast]> {
    for (const job of this.#waiting.all())
      if (job.ticket.key === key && job.want === 'slot') yield [job.ticket.job, this.#forecasts.ofQueued(job, now)]
    for (const device of this.#devices.all())
      for (const held of device.leases)
        if (held.state === 'held' && held.ticket?.key === key)
          yield [held.ticket.job, { place: undefined, firstEventMs: firstEventLeft(held, now) }]
  }

  stats(now: Ms): SchedulerStats {
    return { ...collectStats(this.#waiting, this.#queues, this.#devices, now), reserved: this.#budgets.reserved }
  }
}
