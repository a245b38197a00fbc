// How many tokens to draft for a stream. Few may cost more than they save where many don't: a step with two tokens takes much longer than one
// with one, but hardly less than one with eight. So all counts are compared.

export interface StepCosts {
  /** Streams in the step. All of them add the same number of guesses. */
  streams: number
  /** The numbers to choose from. */
  counts: readonly number[]
  /** In milliseconds: the decode of so many tokens, and the draw of one. */
  stepOf: (tokens: number) => number
  drawMs: number
}

/** Measured times are not exact, so a small gain is none. */
const LEAST_GAIN = 1.02

/**
 * 0 if drafts don't pay. `odds` is the probability that a draft is right if those before it are, and `draftMs` the time to draft one for each
 * stream.
 */
export function planDrafts(odds: number, most: number, draftMs: number, times: StepCosts): number {
  const rateOf = (count: number): number => {
    const gained = (1 - odds ** (count + 1)) / (1 - odds)
    return gained / (times.stepOf(times.streams * (1 + count)) + gained * times.drawMs + count * draftMs)
  }
  const counts = times.counts.filter((count) => count > 0 && count <= most)
  const best = counts.reduce((a, b) => (rateOf(b) > rateOf(a) ? b : a), 0)
  return rateOf(best) > rateOf(0) * LEAST_GAIN ? best : 0
}
