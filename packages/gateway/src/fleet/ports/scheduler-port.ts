import type { Settlement, SlotRequest } from '../terms/job.ts'
import type { LeaseOf, SlotReport } from '../terms/messages.ts'

/**
 * What a gateway that schedules organizations hears: from jobs, and from the hubs of devices. `from` is the gateway that
 * speaks. Schedulers never see a prompt or a reply.
 */
export interface SchedulerPort {
  /** A job wants a slot. Takes the place of what it wanted before. */
  request(organization: string, request: SlotRequest, from: string): void
  /** It no longer does. */
  withdraw(organization: string, job: string, from: string): void
  /** The device of a lease has accepted the job. */
  accepted(organization: string, of: LeaseOf, from: string): void
  /** These devices have not answered in the usual time. */
  late(organization: string, leases: readonly LeaseOf[], from: string): void
  /** The job is done with a lease. With `again`, it wants another slot. */
  settle(organization: string, of: LeaseOf, settlement: Settlement, again: SlotRequest | undefined, from: string): void

  /** What a device offers, and which of its slots are taken. */
  report(organization: string, report: SlotReport, from: string): void
  deviceDown(organization: string, device: string, epoch: number, from: string): void
  /** The slot of a lease is free. */
  freed(organization: string, of: LeaseOf, from: string): void

  /** Everything that the gateway knows follows, as of this view. The scheduler may not have heard of that view yet. */
  syncStarted(generation: number, from: string): void
  /** That was all. */
  syncDone(generation: number, from: string): void
}
