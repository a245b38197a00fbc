// How long a step takes with so many tokens, as far as it was measured: a part that is the same for every step, which reads the whole model,
// and a part for each token.

export interface StepCost {
  /** In an arbitrary unit of time. */
  of(tokens: number): number
  learn(tokens: number, hasGuesses: boolean, ms: number): void
}

/** The time per token, relative to the rest, until it was measured. */
const FIRST_SHARE = { cpu: 0.3, gpu: 0.03 }
/** Weight of the newest step in the averages. */
const NEWEST = 0.1
/** A step that took longer or shorter than this, relative to the expected time, was disturbed by something else. */
const MOST_OFF = 2

export function createStepCost(gpu: string | false): StepCost {
  let base: number | undefined
  let share = gpu === false ? FIRST_SHARE.cpu : FIRST_SHARE.gpu
  const of = (tokens: number) => 1 + share * tokens
  return {
    of,
    learn(tokens, hasGuesses, ms) {
      base ??= ms / of(tokens)
      const expected = base * of(tokens)
      const measured = Math.min(Math.max(ms, expected / MOST_OFF), expected * MOST_OFF)
      // Steps without guesses say what a step costs, and steps with guesses what more tokens cost.
      if (!hasGuesses) base += (measured / of(tokens) - base) * NEWEST
      else share = Math.max(0, share + ((measured / base - 1) / tokens - share) * NEWEST)
    },
  }
}
