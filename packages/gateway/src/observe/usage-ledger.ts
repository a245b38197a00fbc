// Counts usage per hour in memory and writes the sums in batches. A batch that could not be written is kept and retried.

import type { JobRecord } from '../fleet/fleet.ts'
import type { Store, UsageRow } from '../store/store.ts'

const HOUR_MS = 3_600_000

export class UsageLedger {
  readonly #store: Pick<Store, 'addUsage' | 'touchKeys'>
  readonly #onError: (error: unknown) => void
  readonly #timer: NodeJS.Timeout
  #onWritten: (organization: string) => void = () => {}
  #rows = new Map<string, UsageRow>()
  #keyUses = new Map<string, number>()

  constructor(store: Pick<Store, 'addUsage' | 'touchKeys'>, flushMs: number, onError: (error: unknown) => void) {
    this.#store = store
    this.#onError = onError
    this.#timer = setInterval(() => void this.flush(), flushMs).unref()
  }

  add({ ticket, outcome, device = '', tokens, waitMs }: JobRecord, at = Date.now()): void {
    const row = this.#row(Math.floor(at / HOUR_MS) * HOUR_MS, ticket.organization, ticket.key, ticket.model, device)
    row.requests += 1
    row.waitMs += Math.round(waitMs)
    if (outcome.kind !== 'ended' && outcome.kind !== 'cancelled') row.errors += 1
    row.promptTokens += tokens.prompt
    row.completionTokens += tokens.completion
    this.#keyUses.set(ticket.key, at)
  }

  /** Calls `listener` for each organization whose usage was just written. There is one listener. */
  onWritten(listener: (organization: string) => void): void {
    this.#onWritten = listener
  }

  async flush(): Promise<void> {
    const rows = this.#rows
    const keyUses = this.#keyUses
    if (rows.size === 0) return
    this.#rows = new Map()
    this.#keyUses = new Map()
    try {
      await this.#store.addUsage([...rows.values()])
    } catch (error) {
      for (const row of rows.values()) this.#putBack(row)
      return this.#onError(error)
    }
    for (const organization of new Set([...rows.values()].map((row) => row.organization))) this.#onWritten(organization)
    await this.#store.touchKeys([...keyUses].map(([key, at]) => ({ key, at: new Date(at) }))).catch(this.#onError)
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.flush()
  }

  #row(hour: number, organization: string, key: string, model: string, device: string): UsageRow {
    const name = `${hour}\n${key}\n${device}\n${model}`
    const row = this.#rows.get(name)
    if (row) return row
    const fresh: UsageRow = {
      hour: new Date(hour),
      organization,
      key,
      model,
      device,
      requests: 0,
      errors: 0,
      promptTokens: 0,
      completionTokens: 0,
      waitMs: 0,
    }
    this.#rows.set(name, fresh)
    return fresh
  }

  #putBack(old: UsageRow): void {
    const row = this.#row(old.hour.getTime(), old.organization, old.key, old.model, old.device)
    for (const name of ['requests', 'errors', 'promptTokens', 'completionTokens', 'waitMs'] as const)
      row[name] += old[name]
  }
}
