/** Gateways send each other heartbeats all the time. They decide only whether others may continue without the database. */
export interface Heartbeat {
  id: string
  number: number
  /** Grows with every heartbeat of this number. */
  sequence: number
  /** The newest generation that the database has the sender's acknowledgement of. */
  acknowledged: number
  /** The newest generation that it knows to exist. */
  newest: number
  /** For whom the sender vouches, as pairs of their number and the sequence number of their last heartbeat. */
  vouches: readonly (readonly [number: number, sequence: number])[]
  /** Rows that the sender is about to remove, as pairs of their number and turn. Their gateways no longer count on the word of others. */
  claims: readonly (readonly [number: number, turn: number])[]
}
