// What a gateway says to the database about its membership, and what it hears back.

/** A gateway as the database knows it. */
export interface ReplicaRow {
  number: number
  id: string
  version: string
  /** The newest generation that it acts under; 0 before its first renewal. */
  acknowledged: number
  /** Grows with every renewal. */
  turn: number
  /** Who vouches for it while the database is away. Empty: nobody, so it then stops when its lease runs out. */
  peers: readonly number[]
}

/** Read in one go, so that the rows are exactly the members of the generation. */
export interface Snapshot {
  generation: number
  rows: readonly ReplicaRow[]
}

export type Statement =
  | { name: 'join'; id: string; version: string }
  | { name: 'renew'; number: number; turn: number; acknowledged: number; peers: readonly number[] }
  | { name: 'remove'; rows: readonly RowState[] }
  | { name: 'leave'; number: number }

/** Identifies a row together with everything in it. */
export type RowState = Pick<ReplicaRow, 'number' | 'turn'>

export type Outcome =
  | { name: 'joined'; number: number; snapshot: Snapshot }
  /** Members with another version are there. */
  | { name: 'refused'; snapshot: Snapshot }
  | { name: 'renewed'; snapshot: Snapshot }
  /** The row was removed. */
  | { name: 'gone' }
  /** Rows that were renewed in the meantime are still there. */
  | { name: 'removed'; generation: number }
  | { name: 'left'; generation: number }
  /** Or it may still take effect later. */
  | { name: 'failed' }
