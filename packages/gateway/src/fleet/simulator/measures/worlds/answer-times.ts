// What many answers have in common: how long they took.

export interface AnswerTimes {
  count: number
  /** From the arrival to the end. */
  mean: number
  p95: number
  longest: number
  /** From the arrival to the first token, on average. */
  first: number
}

/** `first` and `end` count from the arrival. */
export function timesOf(answers: readonly { first: number; end: number }[]): AnswerTimes {
  const ends = answers.map(({ end }) => end).toSorted((a, b) => a - b)
  return {
    count: ends.length,
    mean: mean(ends),
    p95: ends[Math.floor(ends.length * 0.95)] ?? Number.NaN,
    longest: ends.at(-1) ?? Number.NaN,
    first: mean(answers.map(({ first }) => first)),
  }
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
