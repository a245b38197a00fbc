// A connected device, as the other parts of its home see it.

import type { GatewayFrame, Hello } from '@hearth/protocol'
import type { DeviceReport } from './device-report.ts'
import type { OpenAttempt, OpenAttempts } from './open-attempts.ts'
import type { Conflict } from '../terms/fleet-view.ts'
import type { JobFrame } from '../terms/job-frame.ts'

export interface DeviceIdentity {
  id: string
  organization: string
  name: string
}

export interface Link {
  readonly identity: DeviceIdentity
  /** Grows with every link: of two links of a device, the one with the higher epoch is the newer one. */
  readonly epoch: number
  /** Grows when the home states anew which slots are taken. Leases that are based on an earlier one are void. */
  edition: number
  readonly state: LinkState
  /** Where it connects from. */
  readonly address: string
  readonly report: DeviceReport
  /** The memory that its greeting and its report take. */
  readonly statedBytes: number
  /** Another machine that tries to use the device's credential, if there is one. */
  readonly conflict: Conflict | undefined
  /** How long a message takes to the device and back. Undefined until it is measured. */
  readonly latencyMs: number | undefined
  /** Too much unsent data is piling up: offer no further jobs for now. */
  readonly isOverloaded: boolean
  /** The attempts that the device was sent and has not ended. */
  readonly open: OpenAttempts
  send(frame: GatewayFrame): void
  /** `request` is the job as JSON text, serialized once no matter how many attempts the job takes. */
  startJob(attempt: OpenAttempt, request: string): void
}

export type LinkState =
  | { name: 'greeting'; since: number }
  | { name: 'serving'; hello: Hello }
  | { name: 'draining'; hello: Hello }
  | { name: 'closed' }

export interface DeviceListener {
  deviceUp(link: Link): void
  deviceModels(link: Link): void
  deviceDraining(link: Link): void
  deviceDown(link: Link): void
  jobFrame(link: Link, frame: JobFrame, attempt: OpenAttempt): void
}
