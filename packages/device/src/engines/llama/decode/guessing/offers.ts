// What it brings if every stream adds so many guesses to a step. All of them add the same number, because llama.cpp evaluates streams with
// different numbers of tokens one after the other, and each time reads the whole model.

export interface Offer {
  /** The guesses of each stream. */
  readonly guesses: number
  /** The tokens that a stream gains per step on average: the one that it draws in any case, and the guesses that are right. */
  readonly gained: number
  /** Those of the stream that gains most. The tokens of a stream are drawn one after the other. */
  readonly most: number
}

/** `odds` has, for each stream and each of its guesses, how likely it is right if those before it are. */
export function offersOf(odds: readonly (readonly number[])[], counts: readonly number[]): Offer[] {
  const hopes = odds.map(hopesOf)
  return counts.map((guesses) => {
    const gains = hopes.map((hope) => 1 + (hope[Math.min(guesses, hope.length - 1)] ?? 0))
    return { guesses, gained: gains.reduce((sum, gain) => sum + gain, 0) / gains.length, most: Math.max(...gains) }
  })
}

/** How many guesses are right on average, of the first 0, 1, 2… */
export function hopesOf(odds: readonly number[]): number[] {
  let [chance, sum] = [1, 0]
  return [0, ...odds.map((one) => (sum += chance *= one))]
}
