// Limits the work that the patterns of a schema cost. A schema can hold a hundred patterns that are
// each just small enough, so all of them together have one budget.

import { PatternError } from './language.ts'

/**
 * Nearly half more than the largest schema in use that we know of, and a few dozen milliseconds.
 */
const MAX_WORK = 700_000

export class WorkSpent extends PatternError {
  override name = 'WorkSpent'
}

export class WorkBudget {
  #left = MAX_WORK

  /** Throws WorkSpent if too little is left. */
  spend(units: number): void {
    this.#left -= units
    if (this.#left < 0) throw new WorkSpent('the patterns of the schema are too complex')
  }
}
