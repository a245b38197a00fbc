// The queries about peers that a gateway sends to the database, and their answers.

import type { PeerRenewal, PeerSnapshot, PeerState, SetAsideList } from '../../../store/peers.ts'

export type Query =
  | { name: 'join'; id: string; version: string }
  | ({ name: 'renew' } & PeerRenewal)
  | { name: 'remove'; rows: readonly PeerState[] }
  | ({ name: 'set-aside' } & SetAsideList)
  | { name: 'leave'; number: number }

export type Answer =
  | { name: 'joined'; number: number; snapshot: PeerSnapshot }
  /** Peers with another version are there. */
  | { name: 'refused'; snapshot: PeerSnapshot }
  | { name: 'renewed'; snapshot: PeerSnapshot }
  /** The row was removed. */
  | { name: 'gone' }
  /** Rows that were renewed in the meantime are still there. */
  | { name: 'removed'; generation: number }
  /** Also the answer if the generation had changed. */
  | { name: 'set-aside'; generation: number }
  | { name: 'left'; generation: number }
  /** The query may still take effect later. */
  | { name: 'failed' }
