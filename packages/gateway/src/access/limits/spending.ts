// Monthly budgets of keys, members and organizations: what each has used of its tokens this month. The database has the sums of all usage
// that was written; here are the batches of every gateway's journal that are not in there yet. A read of the sums says which batches they
// contain, so that no job counts twice or never, and no request waits for the database. A gateway that died, or a message that got lost,
// is made up for by what its journal writes.

import { z } from 'zod'
import type { Bus } from '../../bus/bus.ts'
import { readMessage } from '../../bus/read-message.ts'
import { forgetOldest } from '../../forget-oldest.ts'
import type { Budget } from '../../store/revisions/access-rows.ts'
import type { Store } from '../../store/store.ts'
import type { UsageBatchId } from '../../store/usage/usage.ts'
import { realClock } from '../../time/clock.ts'
import { repeat } from '../../time/repeat.ts'
import { SUBJECT } from './shared-limits.ts'

/** Batches that others announced. Each gateway has one or two. */
export const MOST_BATCHES = 256
/** Holders of budgets in one of them. */
export const MOST_HOLDERS = 50_000
/** Others have written a batch long before. If one ended without it, its journal is counted when somebody writes it. */
const FORGET_MS = 60_000

interface Batch extends UsageBatchId {
  /** The first moment of the month. */
  month: number
  /** When something was added last. */
  at: number
  tokens: Map<string, number>
}

export interface SpendingOptions {
  store: Pick<Store, 'readSpending'>
  onError: (error: unknown) => void
  today?: () => number
}

const count = z.int().nonnegative()
const schema = z.object({
  journal: z.string().max(129),
  number: count,
  month: count,
  holders: z.array(z.string().max(300)).max(3),
  spent: count,
})
type Message = z.infer<typeof schema>

export class Spending {
  readonly #store: SpendingOptions['store']
  readonly #onError: (error: unknown) => void
  readonly #today: () => number
  readonly #batches = new Map<string, Batch>()
  #stored = { month: 0, tokens: new Map<string, number>() }
  #own = ''
  #reading: Promise<void> | undefined
  #tell: (message: Message) => void = () => {}

  constructor({ store, onError, today = Date.now }: SpendingOptions) {
    this.#store = store
    this.#onError = onError
    this.#today = today
  }

  /** Tokens of this month. */
  used(budget: Budget): number {
    const [month, name] = [startOfMonth(this.#today()), nameOf(budget)]
    let used = this.#stored.month === month ? (this.#stored.tokens.get(name) ?? 0) : 0
    for (const batch of this.#batches.values()) if (batch.month === month) used += batch.tokens.get(name) ?? 0
    return used
  }

  /** The first moment of the next month. */
  renewal(): Date {
    return startOfNextMonth(this.#today())
  }

  /** Counts a job that is in this batch of the gateway's own journal. */
  add(batch: UsageBatchId, budgets: readonly Budget[], spent: number): void {
    this.#own = batch.journal
    const message = { ...batch, month: startOfMonth(this.#today()), holders: budgets.map(nameOf), spent }
    this.#count(message)
    this.#tell(message)
  }

  /** Reads what everybody has written. One read after another: an older answer must not replace a newer one. */
  async read(): Promise<void> {
    await this.#reading?.catch(() => undefined)
    this.#reading ??= this.#readOnce().finally(() => (this.#reading = undefined))
    await this.#reading
  }

  async #readOnce(): Promise<void> {
    const month = startOfMonth(this.#today())
    const rows = await this.#store.readSpending(new Date(month))
    const written = new Map(rows.filter(({ holder }) => holder === 'journal').map(({ id, tokens }) => [id, tokens]))
    this.#stored = { month, tokens: new Map(rows.map((row) => [nameOf(row), row.tokens])) }
    for (const [name, { journal, number, at }] of this.#batches) {
      const isForgotten = journal !== this.#own && this.#today() - at > FORGET_MS
      if (isForgotten || number <= (written.get(journal) ?? 0)) this.#batches.delete(name)
    }
  }

  /** Reads again and again. Returns a function that ends it. */
  follow(everyMs: number): () => void {
    return repeat(realClock, everyMs, () => void this.read().catch(this.#onError))
  }

  /** Each gateway hears of the jobs of the others within milliseconds. On the subject of limits: a gateway that doesn't know budgets ignores it. */
  share(bus: Bus): () => void {
    this.#tell = (message) => {
      if (bus.isConnected) bus.publish(SUBJECT, Buffer.from(JSON.stringify(message)))
    }
    return bus.subscribe(SUBJECT, (payload) => {
      // Counts of rate limits have the same subject.
      const message = readMessage(schema, payload)
      if (message && message.journal !== this.#own) this.#count(message)
    })
  }

  #count({ journal, number, month, holders, spent }: Message): void {
    const name = `${journal} ${number} ${month}`
    const batch = this.#batches.get(name) ?? { journal, number, month, at: 0, tokens: new Map<string, number>() }
    this.#batches.set(name, batch)
    forgetOldest(this.#batches, MOST_BATCHES)
    batch.at = this.#today()
    for (const holder of holders)
      if (batch.tokens.has(holder) || batch.tokens.size < MOST_HOLDERS)
        batch.tokens.set(holder, (batch.tokens.get(holder) ?? 0) + spent)
  }
}

function nameOf({ holder, organization, id }: Pick<Budget, 'organization' | 'id'> & { holder: string }): string {
  return `${holder} ${organization} ${id}`
}

/** Months are calendar months in UTC. */
export function startOfMonth(at: number): number {
  const date = new Date(at)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth())
}

export function startOfNextMonth(at: number): Date {
  const date = new Date(at)
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1))
}
