// Counts what an attacker sees.

/** How often the attacker saw what: statuses, close codes, dropped connections. */
export type Report = Readonly<Record<string, number>>

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
