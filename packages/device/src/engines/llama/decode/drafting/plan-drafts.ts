// How many tokens to draft for a stream. Few may cost more than they save where many don't: a step with two tokens takes much longer than one
// with one, but hardly less than one with eight. So all counts are compared.

export interface DraftCosts {
  /** Streams in the step. */
  streams: number
  /** The time of a step with so many tokens. */
  stepOf: (tokens: number) => number
  /** The stream's share of the time to draft one token. */
  draftMs: number
}

/** Measured times are not exact, so a small gain is none. */
const LEAST_GAIN = 1.02

/** 0 if drafts don't pay. `odds` is the probability that a draft is right if those before it are. */
export function planDrafts(odds: number, most: number, { streams, stepOf, draftMs }: DraftCosts): number {
  let [best, bestRate] = [0, (streams / stepOf(streams)) * LEAST_GAIN]
  let [expected, chance] = [streams, 1]
  for (let count = 1; count <= most; count++) {
    chance *= odds
    expected += chance
    const rate = expected / (stepOf(streams + count) + count * draftMs)
    if (rate > bestRate) [best, bestRate] = [count, rate]
  }
  return best
}
