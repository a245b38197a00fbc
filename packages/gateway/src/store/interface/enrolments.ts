// Two ways for a device to join: a one-time token made for it, or a code it shows and a person approves. Only digests are kept.

import type { By } from './audit.ts'
import type { Device } from './devices.ts'

export interface EnrolmentStore {
  /** The token is single-use. */
  createEnrolment(input: NewEnrolment & By): Promise<Enrolment>
  /** Only those that can still be used. */
  listEnrolments(input: { organization: string; at: Date }): Promise<Enrolment[]>
  revokeEnrolment(input: { organization: string; enrolment: string } & By): Promise<boolean>
  /** Makes the device and burns the token in one transaction; undefined when the token is unknown, used or expired. */
  redeemEnrolment(input: NewCredential & { digest: string; name: string }): Promise<Device | undefined>

  /** False when too many are waiting, or when another one waits under the same half of a code. */
  createDeviceCode(input: NewDeviceCode): Promise<boolean>
  /** A code that finds a request and does not fit it counts as a wrong try; the fifth makes the request void. */
  findDeviceCode(input: TypedCode): Promise<AskingDevice | undefined>
  /** False when there is no such request. */
  decideDeviceCode(
    input: TypedCode & { organization: string; decision: 'approve' | 'deny'; name?: string } & By,
  ): Promise<boolean>
  /** Makes the device once its code was approved; only the first poll after that gets it. */
  pollDeviceCode(input: NewCredential & { digest: string }): Promise<DeviceCodePoll>
}

export interface NewEnrolment {
  organization: string
  digest: string
  expiresAt: Date
  createdBy?: string
}

export interface Enrolment {
  id: string
  organization: string
  createdAt: Date
  expiresAt: Date
  createdByName?: string
}

export interface NewCredential {
  credentialDigest: string
  at: Date
  address?: string
}

export type DeviceCodeState = 'pending' | 'approved' | 'denied' | 'used'

export interface NewDeviceCode extends AskingDevice {
  digest: string
  selector: string
  userCodeDigest: string
  /** How long the device is to wait between two polls. */
  intervalMs: number
}

export interface TypedCode {
  selector: string
  userCodeDigest: string
  at: Date
}

/** What a device says about itself. */
export interface AskingDevice {
  name: string
  app: string
  system: string
  address: string
  createdAt: Date
  expiresAt: Date
}

export type DeviceCodePoll =
  | { kind: 'approved'; device: Device }
  | { kind: 'pending' | 'denied' | 'expired' }
  /** Polled sooner than allowed; from now on it is to wait longer. */
  | { kind: 'slow-down'; intervalMs: number }
