// Leases the slots of one organization: decides which job gets a slot of which device, and when. It knows nothing of what jobs do with a slot,
// and nothing of gateways but their names. It is pure: no timers, no I/O, no clock of its own. After each call the caller carries out
// `decisions`; when `nextDeadline` has come, it calls `tick`.
//
// In    ask, withdraw                       from the gateway that has the job
//       answered, late, settled             what became of a lease there
//       stated, homeAway, homeStated, deviceDown, freed    from the home of the device, which alone knows which slots are taken
// Out   lease, decline
//
// A lease   held ──settled──▶ stopping ──freed──▶ over      `leases.ts`; the home may also say first that the slot is free
//             │                  └─silence──▶ suspect       the slot stays taken until the device says otherwise
//             └──device gone──▶ lost ──settled──▶ over      nobody is served until its job has asked again, or needs nothing more
//
// `line.ts` has the jobs that wait. Every call ends with `#serve`: free slots go to waiting jobs.

import { RankedHeap } from '../../../time/ranked-heap.ts'
import type { Ask, Ms, Settlement } from '../../terms/job.ts'
import type { DeviceStatement, LeaseOf } from '../../terms/messages.ts'
import { Budgets, NO_BUDGETS, type KnownBudgets } from './budgets.ts'
import {
  canStart,
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
import { Lanes } from './lanes.ts'
import { Leases } from './leases.ts'
import { findUnsupported, Line } from './line.ts'
import { updateDevice } from './served-model.ts'
import type { Asked, Device, Held, Lane, ServedModel, Timed } from './state.ts'
import { collectStats, type LessorStats } from './stats.ts'
import type { Decision, Forecast, LessorLimits } from './types.ts'

type StatedDevice = Omit<DeviceStatement, 'boot' | 'address'> & { boot?: string; home?: string }

export class Lessor {
  /** In order. The caller carries them out and empties the list; calls made in the meantime add to its end. */
  readonly decisions: Decision[] = []
  /** Devices whose homes have to say which slots are taken, after that: they may never have seen a lease. The caller empties it too. */
  readonly doubts: Device[] = []
  readonly #limits: LessorLimits
  readonly #lanes = new Lanes()
  readonly #deadlines = new RankedHeap<Timed>()
  readonly #devices = new DeviceTable(this.#lanes)
  readonly #forecasts: Forecasts
  readonly #budgets: Budgets
  readonly #line: Line
  readonly #leases: Leases
  /** Used while a lane is served; kept so that it is not allocated for every job. */
  readonly #outOfReach = new Set<FeatureMask>()
  /** Nothing is leased for now. */
  isHeld = false
  /** Not all gateways have said yet what they know: nobody is declined before that. */
  #isGathering = false

  /** Numbers of leases are unique among all lessors. */
  constructor(limits: LessorLimits, nextLease: () => number, known: KnownBudgets = NO_BUDGETS) {
    this.#limits = limits
    this.#budgets = new Budgets(known)
    this.#forecasts = new Forecasts(limits.sampleMs)
    const shared = { lanes: this.#lanes, deadlines: this.#deadlines, budgets: this.#budgets, limits }
    this.#line = new Line({ ...shared, decisions: this.decisions, forecasts: this.#forecasts })
    this.#leases = new Leases({ ...shared, doubts: this.doubts, nextNumber: nextLease })
  }

  /** Jobs that wait for a slot. */
  get waiting(): number {
    return this.#line.size
  }

  get devices(): Pick<DeviceTable, 'size' | 'current' | 'find'> {
    return this.#devices
  }

  /** Those that are waited for, and those that devices have. */
  models(): string[] {
    return Array.from(this.#lanes.all(), ({ model }) => model)
  }

  /** Whether some device takes jobs for the model. */
  serves(model: string): boolean {
    return this.#lanes.find(model)?.served.some(({ device }) => !device.isDraining) ?? false
  }

  // Jobs.

  /** Takes the place of what the job has asked for before. */
  ask(asker: string, ask: Ask, now: Ms): void {
    const before = this.#line.get(ask.ticket.job)
    if (before !== undefined) this.#line.remove(before)
    const asked = this.#line.read(asker, ask, now)
    if (ask.want === 'move') return this.#move(asked, now)
    if (ask.want === 'slot' && !this.#admit(asked, now)) return
    if (!this.#leaseAtOnce(asked, now)) {
      this.#line.enter(asked)
      this.serve(now)
      this.#check(asked, now)
    }
  }

  withdraw(job: string, now: Ms): void {
    const asked = this.#line.get(job)
    if (asked !== undefined) this.#line.remove(asked)
    this.serve(now)
  }

  /** Returns false if it is declined. */
  #admit(asked: Asked, now: Ms): boolean {
    const isOver = now >= asked.waitUntil
    const outcome = isOver ? this.#line.noDevice(asked, now) : asked.isFirst ? this.#unsupported(asked) : undefined
    if (outcome !== undefined) {
      this.#line.reject(asked, outcome)
      return false
    }
    if (!this.#isGathering) this.#decideStart(asked, now)
    asked.lane.queue.join(asked.ticket.key)
    return true
  }

  #unsupported(asked: Asked) {
    return this.#isGathering ? undefined : findUnsupported(asked)
  }

  // A begun reply is continued where that is possible. A whole reply starts over on any device rather than wait for a particular one.
  #decideStart(asked: Asked, now: Ms): void {
    if (asked.begun === undefined || hasDevice(asked)) return
    if (!asked.mustContinue) return void (asked.begun = undefined)
    asked.waitUntil = Math.min(asked.waitUntil, now + this.#limits.returnMs)
    asked.isShortened = true
  }

  /** Most jobs come while a slot is free and nobody waits: then there is no need to put them in line first. */
  #leaseAtOnce(asked: Asked, now: Ms): boolean {
    const { lane, want } = asked
    if (want !== 'slot' || this.isHeld || this.#lanes.touched.length > 0) return false
    if (lane.queue.length > 0 || lane.seconds.size > 0 || lane.lost.size > 0) return false
    if (this.#budgets.mustWait(asked) || this.#budgets.usedUp(asked) !== undefined) return false
    const served = chooseDevice(asked)
    if (served !== undefined) this.#lease(asked, served, now, true)
    return served !== undefined
  }

  #move(asked: Asked, now: Ms): void {
    const served = this.isHeld ? undefined : chooseSuccessor(asked)
    if (served === undefined) return this.#lanes.tidy(asked.lane)
    asked.lane.queue.join(asked.ticket.key)
    this.#lease(asked, served, now)
    // A device that loads the model for it comes within reach of jobs that wait.
    this.#lanes.touch(asked.lane)
    this.serve(now)
  }

  /** A job that was never in line before may be one too many. */
  #check(asked: Asked, now: Ms): void {
    if (!asked.isFirst || this.#line.get(asked.ticket.job) !== asked) return
    if (this.#forecasts.sample(asked.lane, now)) asked.expectedMs = this.#forecasts.ofAsked(asked, now).firstEventMs
    this.#line.declineIfFull(asked, now)
  }

  #lease(asked: Asked, served: ServedModel, now: Ms, isAtOnce = false): void {
    const { ticket, want, lane, isFirst, begun, isShortened, waitUntil } = asked
    const held = this.#leases.take(asked, served, now)
    if (isAtOnce && isFirst && this.#forecasts.sample(lane, now)) asked.expectedMs = firstEventLeft(held, now)
    const lease = {
      lease: held.number,
      job: ticket.job,
      want,
      device: served.device.id,
      epoch: served.device.epoch,
      edition: served.device.edition,
      home: served.device.home,
      file: reportedFile(served),
      isContinued: begun !== undefined,
      isLate: served.device.isLate,
      waitMs: isShortened ? waitUntil - now : undefined,
      expectedMs: asked.expectedMs,
    }
    this.decisions.push({ type: 'lease', asker: asked.asker, lease })
  }

  // Leases.

  /** The device has accepted the job. */
  answered({ device, lease }: LeaseOf, now: Ms): void {
    const held = this.#find(device, lease)
    if (held === undefined) return
    held.isAnswered = true
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

  /** With `again`, the same job wants another slot: nobody gets the one that it gave back before it has asked. */
  settled(asker: string, { device, lease }: LeaseOf, settlement: Settlement, again: Ask | undefined, now: Ms): void {
    const lane = this.#lanes.find(settlement.model)
    lane?.queue.spend(settlement.key, settlement.tokens)
    const lost = lane?.lost.get(lease)
    if (lost === undefined) this.#settle(this.#find(device, lease), settlement, now)
    else this.#leases.forget(lost)
    if (again === undefined) this.serve(now)
    else this.ask(asker, again, now)
  }

  #settle(held: Held | undefined, settlement: Settlement, now: Ms): void {
    if (held === undefined) return
    const { device } = held.served
    this.#leases.settle(held, settlement, now)
    if (held.isFreed) this.#leases.setLate(device, false)
    if (settlement.kind === 'lost') this.#setAway(device)
  }

  /** The home says that the slot is free. */
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
  forgetAsker(asker: string, now: Ms): void {
    for (const asked of this.#line.all()) if (asked.asker === asker) this.#line.remove(asked)
    for (const device of this.#devices.all())
      for (const held of device.leases.filter((one) => one.asker === asker)) this.#leases.abandon(held, now)
    for (const lane of this.#lanes.all())
      for (const held of lane.lost.values()) if (held.asker === asker) this.#leases.forget(held)
    this.serve(now)
  }

  // Devices.

  /**
   * A device as its home states it. A newer link takes the place of the older one. A new edition says anew which slots are taken: all other leases
   * are void.
   */
  stated({ device: id, epoch, edition, models, isDraining, taken, home = '', boot = '' }: StatedDevice, now: Ms): void {
    const current = this.#devices.current(id)
    if (current !== undefined && current.epoch > epoch) return
    const isKnown = current?.epoch === epoch
    if (current !== undefined && !isKnown) this.#unlink(current, now)
    const device = isKnown ? current : this.#devices.link(id, epoch, home, boot)
    this.#devices.announce(device, models, now, (lane, features) => {
      this.#lanes.touch(lane)
      if (!this.#isGathering) this.#line.declineUnsupported(lane, features)
    })
    const isNews = device.edition !== edition || device.isDraining !== isDraining
    if (device.edition !== edition) this.#restate(device, edition, taken, now)
    device.isDraining = isDraining
    if (isNews) updateDevice(device, this.#lanes)
    this.serve(now)
  }

  #restate(device: Device, edition: number, taken: StatedDevice['taken'], now: Ms): void {
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

  /** The gateway can't be reached: nothing is leased on its devices until it states them anew. */
  homeAway(home: string): void {
    for (const device of this.#devices.all()) if (device.home === home) this.#setAway(device)
  }

  /** The gateway has stated all its devices, or is gone with them. */
  homeStated(home: string, now: Ms): void {
    for (const { id, epoch, home: own, isAway } of this.#devices.all())
      if (own === home && isAway) this.deviceDown(id, epoch, now)
  }

  deviceDown(id: string, epoch: number, now: Ms): void {
    const device = this.#devices.find(id, epoch)
    if (device === undefined) return
    this.#unlink(device, now)
    this.serve(now)
  }

  #setAway(device: Device): void {
    device.isAway = true
    updateDevice(device, this.#lanes)
  }

  #unlink(device: Device, now: Ms): void {
    this.#devices.unlink(device)
    for (const held of device.leases.slice()) this.#leases.drop(held, now)
    for (const served of device.served.values()) {
      this.#deadlines.remove(served)
      this.#lanes.touch(served.lane)
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
    for (const asked of this.#line.all()) {
      const outcome = asked.isFirst ? findUnsupported(asked) : undefined
      if (outcome !== undefined) this.#line.decline(asked, outcome)
      else if (asked.begun !== undefined && asked.want === 'slot') this.#admitAgain(asked, now)
    }
    this.isHeld = false
    this.serve(now)
  }

  #admitAgain(asked: Asked, now: Ms): void {
    this.#line.leave(asked)
    this.#decideStart(asked, now)
    this.#line.enter(asked)
  }

  serve(now: Ms): void {
    const { touched } = this.#lanes
    if (touched.length === 0 || this.isHeld) return
    // Serving a lane may touch others, which then come after it.
    for (const lane of touched) this.#serveLane(lane, now)
    for (const lane of touched) lane.isTouched = false
    touched.length = 0
  }

  #serveLane(lane: Lane, now: Ms): void {
    if (lane.lost.size > 0) return
    if (lane.seconds.size > 0) this.#serveSeconds(lane, now)
    // A key's jobs come one after another, and one that has to wait for what is reserved is like the next.
    let waiting = ''
    const couldStart = (asked: Asked) => {
      if (!canStart(asked, this.#outOfReach)) return false
      if (asked.begun !== undefined) return true
      if (asked.ticket.key !== waiting && this.#budgets.mustWait(asked)) waiting = asked.ticket.key
      return asked.ticket.key !== waiting
    }
    // A lease only takes devices away, so features that no open device has stay out of reach in this loop. Only a device that has to
    // load its model for a lease then comes within reach of other jobs.
    if (this.#outOfReach.size > 0) this.#outOfReach.clear()
    while (lane.queue.length > 0 && lane.open.all.length > 0) {
      waiting = ''
      const asked = lane.queue.next(couldStart)
      const used = asked && this.#budgets.usedUp(asked)
      if (asked !== undefined && used !== undefined) {
        this.#line.decline(asked, used)
        continue
      }
      const served = asked && chooseDevice(asked)
      if (asked === undefined || served === undefined) return
      this.#line.leave(asked)
      this.#lease(asked, served, now)
      if (served.presence === 'loadable') this.#outOfReach.clear()
    }
  }

  /** Jobs that want a second device had their turn before all that wait. */
  #serveSeconds(lane: Lane, now: Ms): void {
    this.#outOfReach.clear()
    for (const asked of lane.seconds) {
      if (lane.open.all.length === 0) return
      if (this.#outOfReach.has(asked.features)) continue
      const served = chooseSecond(asked)
      if (served === undefined && this.#avoidsLate(asked)) this.#outOfReach.add(asked.features)
      if (served === undefined) continue
      this.#line.leave(asked)
      lane.queue.join(asked.ticket.key)
      this.#lease(asked, served, now)
    }
  }

  /** It avoids only a late device, which no job gets as its second. So no other job with these features will find one either. */
  #avoidsLate(asked: Asked): boolean {
    const [avoided, other] = asked.avoided ?? []
    if (!isLikeOthers(asked) || avoided === undefined || other !== undefined) return false
    return this.#devices.current(avoided)?.isLate === true
  }

  // Time.

  nextDeadline(): Ms | undefined {
    return this.#deadlines.first()?.rank
  }

  tick(now: Ms): void {
    for (let due = this.#deadlines.first(); due !== undefined && due.rank <= now; due = this.#deadlines.first()) {
      this.#deadlines.remove(due)
      if (due.kind === 'ask') this.#line.timeIsUp(due, now)
      else if (due.kind === 'served') this.#leases.approach(due)
      else if (due.state === 'lost') this.#leases.forget(due)
      else this.#leases.suspect(due)
    }
    this.serve(now)
  }

  /** The places in line of a key's jobs, and when the first events of those that have a slot are expected. */
  *forecasts(key: string, now: Ms): Generator<readonly [job: string, forecast: Forecast]> {
    for (const asked of this.#line.all())
      if (asked.ticket.key === key && asked.want === 'slot')
        yield [asked.ticket.job, this.#forecasts.ofAsked(asked, now)]
    for (const device of this.#devices.all())
      for (const held of device.leases)
        if (held.state === 'held' && held.ticket?.key === key)
          yield [held.ticket.job, { place: undefined, firstEventMs: firstEventLeft(held, now) }]
  }

  stats(now: Ms): LessorStats {
    return { ...collectStats(this.#line, this.#lanes, this.#devices, now), reserved: this.#budgets.reserved }
  }
}
