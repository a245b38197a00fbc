// Two ways for a device to join: with a one-time token, or with a code that it shows and a person approves. Only digests are stored.

import type { Machine } from '@hearth/protocol'
import type { By } from './audit.ts'
import type { Device } from './devices.ts'

export interface EnrolmentStore {
  /** The token works once. */
  createEnrolment(input: NewEnrolment & By): Promise<Enrolment>
  /** Only unused ones that have not expired. */
  listEnrolments(input: { organization: string; at: Date }): Promise<Enrolment[]>
  revokeEnrolment(input: { organization: string; enrolment: string } & By): Promise<boolean>
  /** Creates the device and uses up the token in one transaction; undefined if the token is unknown, used or expired. */
  redeemEnrolment(input: JoiningDevice & { digest: string }): Promise<Device | undefined>

  /** False if too many devices are waiting, or if another one has the same first half of the code. */
  createDeviceCode(input: NewDeviceCode): Promise<boolean>
  /** A code whose first half matches and whose second half does not counts as a wrong attempt; after five, the code stops working. */
  findDeviceCode(input: TypedCode): Promise<AskingDevice | undefined>
  /** False if no device is waiting with this code. */
  decideDeviceCode(
    input: TypedCode & { organization: string; decision: 'approve' | 'deny'; name?: string } & By,
  ): Promise<boolean>
  /** Creates the device after its code was approved, on the first poll only. */
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

/** The store adds a number to a name that another device of the organization has. */
export interface JoiningDevice extends NewCredential {
  name: string
  app?: string
  machine?: Machine
}

export type DeviceCodeState = 'pending' | 'approved' | 'denied' | 'used'

export interface NewDeviceCode extends AskingDevice {
  digest: string
  selector: string
  userCodeDigest: string
  /** How long the device has to wait between two polls. */
  intervalMs: number
}

export interface TypedCode {
  selector: string
  userCodeDigest: string
  at: Date
}

/** The device's own description of itself. */
export interface AskingDevice {
  name: string
  app: string
  system: string
  address: string
  machine?: Machine
  createdAt: Date
  expiresAt: Date
}

export type DeviceCodePoll =
  | { kind: 'approved'; device: Device }
  | { kind: 'pending' | 'denied' | 'expired' }
  /** It polled too soon, and has to wait longer from now on. */
  | { kind: 'slow-down'; intervalMs: number }
