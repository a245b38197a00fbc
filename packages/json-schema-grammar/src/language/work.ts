// Counts the work that patterns cost while a schema is converted. A schema can hold a hundred patterns that are each just small enough, so
// there is one limit for all of them. Conversion is synchronous, so one counter is enough.

import { PatternError } from './language.ts'

/** About 50 ms on a laptop. */
const MAX_WORK = 1_500_000

let left = MAX_WORK

export function beginWork(): void {
  left = MAX_WORK
}

/** Throws PatternError if there is none left. */
export function work(units: number): void {
  left -= units
  if (left < 0) throw new PatternError('the patterns of the schema are too complex')
}
