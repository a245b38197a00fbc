/** Weight of the newest time in an average. */
const NEWEST = 0.2
/** What took longer than this, relative to the average, was held up by something else. */
const MOST_OFF = 2

/** With one more time. `before` is undefined for the first one. */
export function averageTime(before: number | undefined, ms: number): number {
  return before === undefined ? ms : before + (Math.min(ms, before * MOST_OFF) - before) * NEWEST
}
