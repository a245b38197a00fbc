// The link of a device: whose it is, how far it has come, and what it needs besides its socket.

import type { DeviceModel, Hello } from '@hearth/protocol'
import type { Full } from '@hearth/chat'
import type { DeviceBudgets } from '../../budget/memory-budgets.ts'
import type { Clock } from '../../time/clock.ts'
import type { JobFrame } from '../terms/job-frame.ts'
import type { OpenAttempt } from './open-attempts.ts'

export interface DeviceIdentity {
  id: string
  organization: string
  name: string
}

export type LinkState =
  | { name: 'greeting'; since: number }
  | { name: 'serving'; hello: Hello }
  | { name: 'draining'; hello: Hello }
  | { name: 'closed' }

export interface LinkListener<Linked> {
  /** `protocol` is the highest version that both ends speak. */
  greeted(link: Linked, hello: Hello, protocol: number): void
  /** At most a few times per second, however often the device announces. */
  modelsChanged(link: Linked, models: readonly DeviceModel[]): void
  /** The device reported its downloads, its back end or the models on its disk. */
  reportChanged(link: Linked): void
  sharedChanged(link: Linked): void
  draining(link: Linked): void
  jobFrame(link: Linked, frame: JobFrame, attempt: OpenAttempt): void
  /** There is no room for what the device says about itself. At most once per link. */
  full(link: Linked, full: Full): void
  closed(link: Linked, wasGreeted: boolean): void
}

export interface LinkWorld<Linked> {
  listener: LinkListener<Linked>
  clock: Clock
  /** For what devices say about themselves. */
  budgets: DeviceBudgets
}

export interface PingIntervals {
  busyMs: number
  idleMs: number
}
