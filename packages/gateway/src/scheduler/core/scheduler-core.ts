// The scheduler: what clients, devices and administrators say comes in as method calls, what is to be done goes out as effects. It is pure:
// no timers, no I/O, no clock of its own. The caller works off `effects` after each call and calls `tick` when `nextDeadline` has come.
// Words about an attempt count only from the device and the link that hold it; everything else is late, and is dropped.

import { MAX_JOB_TOKENS } from '@hearth/protocol'
import { meetDeadlines } from './deadlines.ts'
import { DeviceTable } from './device-table.ts'
import { JobFlow } from './job-flow.ts'
import { updateOpen } from './open-devices.ts'
import type { Device, Lease } from './state.ts'
import { collectStats, type SchedulerStats } from './stats.ts'
import type {
  CancelReason,
  DeviceModel,
  Effect,
  Failure,
  LinkedDevice,
  Ms,
  RefuseReason,
  SchedulerLimits,
  Speaker,
  Ticket,
  TokenCount,
  Verdict,
} from './types.ts'

export class SchedulerCore {
  /** What is to be done, in order. The caller carries it out and empties the list; calls made meanwhile add to its end. */
  readonly effects: Effect[]
  readonly #flow: JobFlow
  readonly #devices: DeviceTable
  #isShutDown = false

  constructor(limits: SchedulerLimits) {
    this.#flow = new JobFlow(limits)
    this.#devices = new DeviceTable(this.#flow.lanes)
    this.effects = this.#flow.effects
  }

  // What clients say.

  submit(ticket: Ticket, now: Ms): void {
    const job = this.#flow.begin(ticket, now)
    if (this.#isShutDown) return this.#flow.finish(job, { kind: 'shutdown' }, now)
    if (this.#flow.refuseIfUnservable(job, now)) return
    this.#flow.wait(job)
    this.#flow.serve(now)
    const scope = this.#flow.bounds.exceeded(ticket.organization, ticket.key)
    if (job.state === 'waiting' && scope !== undefined) this.#flow.finish(job, { kind: 'queue-full', scope }, now)
  }

  cancel(job: string, reason: CancelReason, now: Ms): void {
    const found = this.#flow.jobs.get(job)
    if (found === undefined) return
    this.#flow.abandon(found, { kind: 'cancelled' }, reason, now)
    this.#flow.serve(now)
  }

  // What the links of devices say.

  /** A newer link of the same device takes its place: what ran over the old one is lost. */
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

  /** It gets no more offers and finishes what it has. */
  deviceDraining(device: string, epoch: number, now: Ms): void {
    const found = this.#devices.find(device, epoch)
    if (found === undefined) return
    found.isDraining = true
    for (const served of found.served.values()) {
      updateOpen(served)
      this.#flow.touch(served.lane)
    }
    this.#flow.serve(now)
  }

  deviceDown(device: string, epoch: number, now: Ms): void {
    const found = this.#devices.find(device, epoch)
    if (found === undefined) return
    this.#unlink(found, now)
    this.#flow.serve(now)
  }

  #announce(device: Device, models: readonly DeviceModel[], now: Ms): void {
    const changed = this.#devices.announce(device, models)
    for (const served of device.served.values()) this.#flow.touch(served.lane)
    for (const lane of changed) this.#flow.refuseUnservable(lane, now)
    this.#flow.serve(now)
  }

  #unlink(device: Device, now: Ms): void {
    this.#devices.unlink(device)
    for (const served of device.served.values()) {
      this.#flow.deadlines.remove(served)
      this.#flow.touch(served.lane)
    }
    for (const lease of device.leases) {
      const isCurrent = lease.state !== 'closing'
      this.#flow.release(lease)
      if (isCurrent) this.#flow.lose(lease, { kind: 'lost' }, now)
    }
  }

  // What devices say about an attempt. A device that goes on without having accepted has accepted.

  accepted(from: Speaker, now: Ms): void {
    const lease = this.#find(from)
    if (lease?.state !== 'offered') return
    this.#flow.accept(lease, now)
    this.#flow.serve(now)
  }

  refused(from: Speaker, reason: RefuseReason, now: Ms): void {
    const lease = this.#find(from)
    if (lease === undefined) return
    if (lease.state === 'closing') this.#flow.release(lease)
    else if (lease.state === 'accepted') this.#lost(lease, now)
    else if (reason === 'unsupported' || reason === 'wrong-organization') this.#flow.exclude(lease, now)
    else this.#flow.putBack(lease, now)
    this.#flow.serve(now)
  }

  /** `promptTokens` is the length of the prompt, if the device says. */
  progress(from: Speaker, promptTokens: number | undefined, now: Ms): void {
    const lease = this.#flow.jobs.get(from.job)?.lease
    if (lease === undefined || !isSaidOf(lease, from)) return
    if (lease.state === 'offered') this.accepted(from, now)
    lease.lastSignAt = now
    if (promptTokens !== undefined) lease.promptTokens = Math.min(promptTokens, MAX_JOB_TOKENS)
  }

  /** For every numbered frame but the last: the hottest path of all. Allocates nothing and leaves the deadlines alone. */
  receive(from: Speaker, sequence: number, tokens: number, now: Ms): Verdict {
    const lease = this.#flow.jobs.get(from.job)?.lease
    if (lease === undefined || !isSaidOf(lease, from)) return 'drop'
    if (sequence !== lease.nextSequence) return this.#outOfSequence(lease, sequence, now)
    lease.nextSequence = sequence + 1
    lease.lastSignAt = now
    lease.deliveredTokens += tokens
    if (sequence === 0) this.#started(lease, from, now)
    return 'deliver'
  }

  /** `tokens` is undefined when the device did not count: then what was delivered counts. */
  ended(from: Speaker, sequence: number, tokens: TokenCount | undefined, now: Ms): Verdict {
    const lease = this.#find(from)
    if (lease === undefined) return 'drop'
    const verdict = lease.state === 'closing' ? this.#endLate(lease) : this.#end(lease, sequence, tokens, now)
    this.#flow.serve(now)
    return verdict
  }

  failed(from: Speaker, failure: Failure, now: Ms): void {
    const lease = this.#find(from)
    if (lease === undefined) return
    if (lease.state === 'offered') this.#flow.accept(lease, now)
    const isCurrent = lease.state !== 'closing'
    this.#flow.release(lease)
    if (isCurrent) this.#flow.lose(lease, { kind: 'failed', failure }, now)
    this.#flow.serve(now)
  }

  /** What the device says about this attempt makes no sense: the attempt is given up, and the device is told to stop. */
  faulted(from: Speaker, now: Ms): void {
    const lease = this.#flow.jobs.get(from.job)?.lease
    if (lease !== undefined && isSaidOf(lease, from)) this.#fault(lease, now)
  }

  cancelConfirmed(from: Speaker, now: Ms): void {
    const lease = this.#find(from)
    if (lease === undefined) return
    if (lease.state === 'closing') this.#flow.release(lease)
    else this.#lost(lease, now)
    this.#flow.serve(now)
  }

  // What administrators say.

  /** Jobs that wait for the model end; those that run may finish, but are not run again. */
  modelClosed(organization: string, model: string, now: Ms): void {
    const lane = this.#flow.lanes.find(organization, model)
    for (const job of this.#flow.jobs.values()) {
      if (job.lane !== lane) continue
      job.isModelClosed = true
      if (job.state === 'waiting') this.#flow.finish(job, { kind: 'model-disabled' }, now)
    }
  }

  keyRevoked(key: string, now: Ms): void {
    for (const job of this.#flow.jobs.values())
      if (job.ticket.key === key) this.#flow.abandon(job, { kind: 'key-revoked' }, 'revoked', now)
    this.#flow.serve(now)
  }

  shutdown(now: Ms): void {
    this.#isShutDown = true
    for (const job of this.#flow.jobs.values()) this.#flow.abandon(job, { kind: 'shutdown' }, 'shutdown', now)
  }

  // Time.

  nextDeadline(): Ms | undefined {
    return this.#flow.deadlines.first()?.rank
  }

  tick(now: Ms): void {
    meetDeadlines(this.#flow, now)
    this.#flow.serve(now)
  }

  stats(now: Ms): SchedulerStats {
    return collectStats(this.#flow, this.#devices, now)
  }

  #started(lease: Lease, from: Speaker, now: Ms): void {
    if (lease.state === 'offered') this.accepted(from, now)
    this.#flow.firstEvent(lease, now)
  }

  // A number already seen is a frame said twice. A missing one is lost for good: the attempt can't be made whole any more.
  #outOfSequence(lease: Lease, sequence: number, now: Ms): Verdict {
    if (sequence > lease.nextSequence) this.#fault(lease, now)
    return 'drop'
  }

  #fault(lease: Lease, now: Ms): void {
    if (lease.state === 'offered') this.#flow.accept(lease, now)
    this.#flow.stop(lease, 'superseded', now)
    this.#flow.lose(lease, { kind: 'lost' }, now)
    this.#flow.serve(now)
  }

  #end(lease: Lease, sequence: number, tokens: TokenCount | undefined, now: Ms): Verdict {
    if (sequence < lease.nextSequence) return 'drop'
    if (lease.state === 'offered') this.#flow.accept(lease, now)
    this.#flow.release(lease)
    this.#flow.trust(lease.served)
    if (sequence === lease.nextSequence) this.#flow.finish(lease.job, { kind: 'ended' }, now, tokens)
    else this.#flow.lose(lease, { kind: 'lost' }, now)
    return sequence === lease.nextSequence ? 'deliver' : 'drop'
  }

  /** The attempt was given up before its end came: all it tells is that the slot is free. */
  #endLate(lease: Lease): Verdict {
    this.#flow.release(lease)
    this.#flow.trust(lease.served)
    return 'drop'
  }

  /** The device itself says that the attempt is over, out of turn. */
  #lost(lease: Lease, now: Ms): void {
    this.#flow.release(lease)
    this.#flow.lose(lease, { kind: 'lost' }, now)
  }

  #find(from: Speaker): Lease | undefined {
    const job = this.#flow.jobs.get(from.job)
    if (job?.lease !== undefined && isSaidOf(job.lease, from)) return job.lease
    return job?.closing.find((lease) => isSaidOf(lease, from))
  }
}

function isSaidOf(lease: Lease, from: Speaker): boolean {
  return lease.attempt === from.attempt && lease.epoch === from.epoch && lease.device === from.device
}
