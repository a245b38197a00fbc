// Metrics, speeds and the log line of finished jobs. Nothing depends on them, so they wait for the end of the turn: by then the clients have
// their replies, and nobody waits for statistics.

import type { JobRecord } from '../fleet/fleet.ts'
import { atEndOfTurn, type Turning } from '../turn.ts'

export class JobNotes implements Turning {
  readonly #take: (record: JobRecord) => void
  #waiting: JobRecord[] = []

  constructor(take: (record: JobRecord) => void) {
    this.#take = take
  }

  add(record: JobRecord): void {
    if (this.#waiting.push(record) === 1) atEndOfTurn(this)
  }

  endTurn(): void {
    const records = this.#waiting
    this.#waiting = []
    for (const record of records) this.#take(record)
  }
}
