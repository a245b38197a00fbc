// Histograms of waiting times, times to first token and speeds: how many requests fell into each of 28 steps, five to a power of ten. The
// three of them are one array of numbers, so that hours, keys, models and devices can be added up anywhere, even in SQL.

const BUCKETS = 28
const PER_DECADE = 5

/** Milliseconds, milliseconds, tokens per second. */
export type UsageTiming = 'wait' | 'firstToken' | 'speed'

/** Where each kind begins in the array, and the upper end of nothing: smaller values fall into the first step too. */
const KINDS: Record<UsageTiming, { start: number; least: number }> = {
  wait: { start: 0, least: 1 },
  firstToken: { start: BUCKETS, least: 1 },
  speed: { start: 2 * BUCKETS, least: 0.1 },
}

/** The length of the array. */
export const TIME_COUNTS = 3 * BUCKETS

export function noTimes(): number[] {
  return Array.from({ length: TIME_COUNTS }, () => 0)
}

export function countTime(times: number[], kind: UsageTiming, value: number): void {
  const { start, least } = KINDS[kind]
  const step = value <= least ? 0 : Math.floor(Math.log10(value / least) * PER_DECADE)
  const bucket = start + Math.min(step, BUCKETS - 1)
  times[bucket] = (times[bucket] ?? 0) + 1
}

/** An estimate: values are assumed to be spread evenly within their step. Null if nothing was counted. */
export function quantileOf(times: readonly number[], kind: UsageTiming, share: number): number | null {
  const { start, least } = KINDS[kind]
  const counts = times.slice(start, start + BUCKETS)
  const wanted = share * counts.reduce((sum, count) => sum + count, 0)
  if (wanted === 0) return null
  let before = 0
  for (const [step, count] of counts.entries()) {
    if (before + count >= wanted) return least * 10 ** ((step + (wanted - before) / count) / PER_DECADE)
    before += count
  }
  return null
}

export function addTimes(into: number[], more: readonly number[]): void {
  for (let index = 0; index < into.length; index++) into[index] = (into[index] ?? 0) + (more[index] ?? 0)
}
