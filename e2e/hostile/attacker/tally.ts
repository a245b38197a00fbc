// Counts what an attacker sees.

import type { Report } from '../attack.ts'

export class Tally {
  readonly #counts = new Map<string, number>()

  count(what: string | number, times = 1): void {
    this.#counts.set(String(what), this.of(what) + times)
  }

  of(what: string | number): number {
    return this.#counts.get(String(what)) ?? 0
  }

  get total(): number {
    return [...this.#counts.values()].reduce((sum, count) => sum + count, 0)
  }

  report(): Report {
    return Object.fromEntries(this.#counts)
  }
}
