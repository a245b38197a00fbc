import type { JobAttempt } from '@hearth/protocol'
import type { JobFrame } from '../terms/job-frame.ts'
import type { Lease } from '../terms/job.ts'
import type { Declined } from '../terms/messages.ts'

/** What a gateway hears about the jobs that came in there: from their schedulers, and from the hubs of their devices. */
export interface JobsPort {
  /** A slot of a device, and the gateway that is its hub. */
  lease(organization: string, lease: Lease, from: string): void
  /** There is no slot for the job. */
  decline(organization: string, job: string, outcome: Declined, from: string): void

  /** As the device sent it. */
  frame(frame: JobFrame): void
  /** The link of the device is gone: it had the attempt, or never got it. */
  attemptLost(attempt: JobAttempt & { wasSent: boolean }): void
}
