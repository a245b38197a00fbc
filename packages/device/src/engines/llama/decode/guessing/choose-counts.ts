// How many guesses each stream adds to a step. More guesses make a step longer for all streams, so a guess is worth it only if it raises the
// number of tokens per time of all of them together.

import { MOST_MATCH } from './past.ts'

export interface Hopes {
  /** How many guesses there are. */
  readonly available: number
  /** How many tokens before them were the same. */
  readonly match: number
  /** The probability of a guess after so many. */
  readonly oddsOf: (match: number) => number
}

/** `room` is for the guesses of all streams. */
export function chooseCounts(streams: readonly Hopes[], room: number, costOf: (tokens: number) => number): number[] {
  const counts = streams.map(() => 0)
  // A guess is right only if all guesses before it are: its chance is never higher than theirs, so their order is kept.
  const guesses = streams.flatMap(chancesOf).toSorted((a, b) => b.chance - a.chance)
  let expected = streams.length
  let [best, bestRate] = [0, expected / costOf(streams.length)]
  for (const [index, { chance }] of guesses.slice(0, room).entries()) {
    expected += chance
    const rate = expected / costOf(streams.length + index + 1)
    if (rate > bestRate) [best, bestRate] = [index + 1, rate]
  }
  for (const { stream } of guesses.slice(0, best)) counts[stream]!++
  return counts
}

function chancesOf({ available, match, oddsOf }: Hopes, stream: number): { stream: number; chance: number }[] {
  let chance = 1
  return Array.from({ length: available }, (_, index) => {
    chance *= oddsOf(Math.min(match + index, MOST_MATCH))
    return { stream, chance }
  })
}
