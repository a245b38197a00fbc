// What a gateway says to the database about its membership, and what it hears back.

import type { ReplicaRenewal, ReplicaSnapshot, ReplicaState, SetAside } from '../../../store/store.ts'

export type Statement =
  | { name: 'join'; id: string; version: string }
  | ({ name: 'renew' } & ReplicaRenewal)
  | { name: 'remove'; rows: readonly ReplicaState[] }
  | ({ name: 'set-aside' } & SetAside)
  | { name: 'leave'; number: number }

export type Outcome =
  | { name: 'joined'; number: number; snapshot: ReplicaSnapshot }
  /** Members with another version are there. */
  | { name: 'refused'; snapshot: ReplicaSnapshot }
  | { name: 'renewed'; snapshot: ReplicaSnapshot }
  /** The row was removed. */
  | { name: 'gone' }
  /** Rows that were renewed in the meantime are still there. */
  | { name: 'removed'; generation: number }
  /** Or the generation had changed. */
  | { name: 'set-aside'; generation: number }
  | { name: 'left'; generation: number }
  /** Or it may still take effect later. */
  | { name: 'failed' }
