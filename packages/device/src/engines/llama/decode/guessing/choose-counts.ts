// How many guesses each stream adds to a step. More guesses make a step longer for all streams, so a guess is worth it only if it raises the
// number of tokens per time of all of them together.

/** `odds` has, for each stream and each of its guesses, how likely it is right if those before it are. `room` is for all guesses together. */
export function chooseCounts(
  odds: readonly (readonly number[])[],
  room: number,
  costOf: (tokens: number) => number,
): number[] {
  const counts = odds.map(() => 0)
  // A guess is right only if all guesses before it are: its chance is never higher than theirs, so their order is kept.
  const guesses = odds.flatMap(chancesOf).toSorted((a, b) => b.chance - a.chance)
  let expected = odds.length
  let [best, bestRate] = [0, expected / costOf(odds.length)]
  for (const [index, { chance }] of guesses.slice(0, room).entries()) {
    expected += chance
    const rate = expected / costOf(odds.length + index + 1)
    if (rate > bestRate) [best, bestRate] = [index + 1, rate]
  }
  for (const { stream } of guesses.slice(0, best)) counts[stream]!++
  return counts
}

function chancesOf(odds: readonly number[], stream: number): { stream: number; chance: number }[] {
  let chance = 1
  return odds.map((one) => ({ stream, chance: (chance *= one) }))
}
