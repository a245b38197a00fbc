// Limits the work that the patterns of a schema cost. A schema can hold a hundred patterns that are each just small enough, so all of them
// together have one budget.

import { PatternError } from './language.ts'

/** About 50 ms on a laptop. */
const MAX_WORK = 1_500_000

export class WorkBudget {
  #left = MAX_WORK

  /** Throws PatternError if too little is left. */
  spend(units: number): void {
    this.#left -= units
    if (this.#left < 0) throw new PatternError('the patterns of the schema are too complex')
  }
}
