// The gateways that form one service. Every change of the peers makes a new generation, in the same transaction.

import type { BusServer } from '../../bus/bus.ts'

export interface PeerStore {
  /** Adds a peer, unless there are peers of another version. */
  joinPeers(peer: { id: string; version: string }): Promise<{ number?: number; snapshot: PeerSnapshot }>
  /** Undefined if the peer was removed. A renewal that comes after one with a higher turn changes nothing. */
  renewPeer(renewal: PeerRenewal): Promise<PeerSnapshot | undefined>
  /** Removes those that have not been renewed in the meantime. Returns the generation. */
  removePeers(peers: readonly PeerState[]): Promise<number>
  /** Sets these aside and nobody else, unless the generation has changed in the meantime. Returns the generation. */
  setAsidePeers(list: SetAsideList): Promise<number>
  /** Removes it, and empties the peers of everyone who counts on it. Returns the generation. */
  leavePeers(number: number): Promise<number>
  /** Takes numbers for links. They are higher than all that were taken before. */
  takeLinkEpochs(count: number): Promise<number[]>
}

export interface PeerRow {
  /** Never used again. */
  number: number
  id: string
  version: string
  /** The newest generation that it acts under; 0 before its first renewal. */
  acknowledged: number
  /** Grows with every renewal. */
  turn: number
  /** Who vouches for it while the database is away. Empty: nobody, so it then stops when its mandate runs out. */
  peers: readonly number[]
  /** The server over which it hears them. Null if it has none, or can't be sure yet that it hears everything there: then it has no peers. */
  bus: BusServer | null
  /** Whom it hears on the bus; itself too, if its own messages come back to it. */
  hears: readonly number[]
  /** The others don't hear it, so it schedules nothing. Like the set of peers, this changes only with the generation. */
  isSetAside: boolean
}

export type PeerRenewal = Pick<PeerRow, 'number' | 'turn' | 'acknowledged' | 'peers' | 'bus' | 'hears'>

export interface SetAsideList {
  generation: number
  numbers: readonly number[]
}

/** Identifies a row together with everything in it. */
export type PeerState = Pick<PeerRow, 'number' | 'turn'>

/** Read in one go, so that the rows are exactly the peers of the generation. */
export interface PeerSnapshot {
  generation: number
  rows: readonly PeerRow[]
}
