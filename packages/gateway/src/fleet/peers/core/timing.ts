export interface Timing {
  /** Between two renewals of a row, and between two heartbeats. */
  renewMs: number
  /** After a renewal that failed. */
  retryMs: number
  /** How long a renewal is valid for the gateway that renewed. */
  mandateMs: number
  /** How long another gateway's word is valid while the database is away. */
  vouchMs: number
  /** A row that was not renewed for this long is claimed by those that don't know who vouches for it. */
  claimMs: number
  /** The longest time that a gateway continues without the database. */
  graceMs: number
  /** A gateway without a renewal for this long says that it is without the database. */
  absentMs: number
  /** A gateway that is not heard for this long is silent. */
  silentMs: number
  /** How long peers have to agree that a gateway is silent before it is set aside. */
  steadyMs: number
  /** How long it has to be heard again before it gets its share back. Longer, so that a bad connection moves organizations once only. */
  returnMs: number
}

export const TIMING: Timing = {
  renewMs: 500,
  retryMs: 250,
  mandateMs: 3_000,
  vouchMs: 2_000,
  claimMs: 1_000,
  graceMs: 120_000,
  absentMs: 1_200,
  silentMs: 1_500,
  steadyMs: 800,
  returnMs: 3_000,
}

/** Clocks run at slightly different speeds, so waiting for somebody else's time to run out takes a little longer. */
export function outlast(ms: number): number {
  return ms * 1.03
}
