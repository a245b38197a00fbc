// Adds up usage per hour, key, model and device.

import type { UsageRow } from '../store/store.ts'
import type { UsageRecord } from './usage-record.ts'

const HOUR_MS = 3_600_000

export class UsageSums {
  readonly #rows = new Map<string, UsageRow>()
  readonly #keyUses = new Map<string, number>()

  get isEmpty(): boolean {
    return this.#rows.size === 0
  }

  add(record: UsageRecord): void {
    const row = this.#row(record)
    row.requests += 1
    row.errors += record.isError ? 1 : 0
    row.promptTokens += record.promptTokens
    row.completionTokens += record.completionTokens
    row.waitMs += record.waitMs
    this.#keyUses.set(record.key, record.at)
  }

  rows(): UsageRow[] {
    return [...this.#rows.values()]
  }

  organizations(): Set<string> {
    return new Set(this.rows().map(({ organization }) => organization))
  }

  /** The last use of each key. */
  keyUses(): { key: string; at: Date }[] {
    return [...this.#keyUses].map(([key, at]) => ({ key, at: new Date(at) }))
  }

  #row({ at, organization, key, model, device }: UsageRecord): UsageRow {
    const hour = Math.floor(at / HOUR_MS) * HOUR_MS
    const name = `${hour}\n${key}\n${device}\n${model}`
    const row = this.#rows.get(name)
    if (row) return row
    const counters = { requests: 0, errors: 0, promptTokens: 0, completionTokens: 0, waitMs: 0 }
    const fresh: UsageRow = { hour: new Date(hour), organization, key, model, device, ...counters }
    this.#rows.set(name, fresh)
    return fresh
  }
}
