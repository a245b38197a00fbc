// Sums up rounds, and prints them as a table.

import { tableOf } from '../../harness/command.ts'
import type { RoundResult } from './run-chaos.ts'

export class Tally {
  readonly #rounds: RoundResult[] = []

  add(round: RoundResult): void {
    this.#rounds.push(round)
  }

  get problems(): number {
    return this.#rounds.reduce((sum, { problems }) => sum + problems.length, 0)
  }

  /** Measures above their promise. */
  get misses(): number {
    return this.#rows().filter(({ promise, most }) => promise !== undefined && most > promise).length
  }

  print(): string {
    const byFault = Map.groupBy(this.#rounds, ({ fault }) => fault)
    const sums = [...byFault].map(([fault, rounds]) => {
      const ends = new Map<string, number>()
      for (const round of rounds) for (const [end, count] of round.ends) ends.set(end, (ends.get(end) ?? 0) + count)
      const problems = rounds.reduce((sum, round) => sum + round.problems.length, 0)
      const said = [...ends].map(([end, count]) => `${count} ${end}`).join(', ')
      return `${fault.name}: ${rounds.length} rounds, ${problems} problems; requests: ${said}`
    })
    return [this.#table(), '', ...sums].join('\n')
  }

  #table(): string {
    const seconds = (ms: number | undefined) => (ms === undefined ? '–' : `${(ms / 1_000).toFixed(2)} s`)
    const rows = this.#rows().map(({ what, rounds, measure, median, most, promise }) => [
      what,
      String(rounds),
      measure,
      ...[median, most, promise].map(seconds),
    ])
    return tableOf(['Fault', 'Rounds', 'Measured', 'Median', 'Longest', 'Promise'], rows)
  }

  #rows() {
    const byFault = Map.groupBy(this.#rounds, ({ fault }) => fault)
    return [...byFault].flatMap(([{ what, promises }, rounds]) =>
      Object.entries(promises).map(([measure, promise]) => {
        const times = rounds.map(({ measures }) => measures[measure]!).toSorted((a, b) => a - b)
        const median = times[Math.floor((times.length - 1) / 2)]!
        return { what, rounds: rounds.length, measure, promise, median, most: times.at(-1)! }
      }),
    )
  }
}
