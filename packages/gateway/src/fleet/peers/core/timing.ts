export type Timing = typeof TIMING

export const TIMING = {
  /** Between two renewals of a row, and between two heartbeats. */
  renewMs: 500,
  /** After a renewal that failed. */
  retryMs: 250,
  /** How long a renewal is valid for the gateway that renewed. */
  leadershipMs: 3_000,
  /** How long another gateway's word is valid while the database is away. */
  vouchMs: 2_000,
  /** A row that was not renewed for this long is claimed by those that don't know who vouches for it. */
  claimMs: 1_000,
  /** The longest time that a gateway continues without the database. */
  graceMs: 120_000,
  /** A gateway without a renewal for this long says that it is without the database. */
  absentMs: 1_200,
  /** A gateway that is not heard for this long is silent. */
  silentMs: 1_500,
  /** How long peers have to agree that a gateway is silent before it is isolated. */
  steadyMs: 800,
  /** How long it has to be heard again before it gets its share back. Longer, so that a bad connection moves organizations once only. */
  returnMs: 3_000,
}

/** Clocks run at slightly different speeds, so waiting for somebody else's time to run out takes a little longer. */
export function outlast(ms: number): number {
  return ms * 1.03
}
