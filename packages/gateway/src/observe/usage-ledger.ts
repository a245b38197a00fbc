// Counts usage and writes it to the store in batches. Every request is in the journal first, and every batch is a segment of the journal, which
// the store adds once: neither a crash nor a lost answer of the store makes usage disappear or count twice.

import type { JobRecord } from '../fleet/fleet.ts'
import type { Store } from '../store/store.ts'
import type { UsageBatchId } from '../store/usage/usage.ts'
import type { UsageJournal } from './usage-journal.ts'
import type { LeftJournal } from './usage-left.ts'
import { toUsageRecord } from './usage-record.ts'
import type { UsageSums } from './usage-sums.ts'

export interface UsageLedgerOptions {
  store: Pick<Store, 'addUsage' | 'touchKeys' | 'forgetUsageJournal'>
  journal: UsageJournal
  /** Journals of gateways that ended, to be written too. */
  left: readonly LeftJournal[]
  flushMs: number
  onError: (error: unknown) => void
}

export interface RejectedRequest {
  request: string
  organization: string
  key: string
  /** Empty if the organization has no such model: names that anyone can make up are not kept. */
  model: string
  code: string
}

const NOTHING_USED = {
  device: '',
  promptTokens: 0,
  completionTokens: 0,
  waitMs: 0,
  firstTokenMs: undefined,
  totalMs: 0,
  attempts: 0,
  isStream: false,
  isSealed: false,
  takeOver: undefined,
}

export class UsageLedger {
  readonly #store: UsageLedgerOptions['store']
  readonly #journal: UsageJournal
  readonly #left: LeftJournal[]
  readonly #onError: (error: unknown) => void
  readonly #timer: NodeJS.Timeout
  #onWritten: (organization: string) => void = () => {}
  #flushing: Promise<void> | undefined

  constructor({ store, journal, left, flushMs, onError }: UsageLedgerOptions) {
    this.#store = store
    this.#journal = journal
    this.#left = [...left]
    this.#onError = onError
    this.#timer = setInterval(() => void this.flush(), flushMs).unref()
  }

  /** Returns the batch that it will be written with. */
  add(record: JobRecord, at = Date.now()): UsageBatchId {
    const number = this.#journal.add(toUsageRecord(record, new Date(at)))
    return { journal: this.#journal.files.journal, number }
  }

  /** Calls `act` when the journal has everything that was added before. */
  whenSafe(act: () => void): void {
    this.#journal.whenWritten(act)
  }

  /** A request that was rejected before it became a job. It used nothing, so it is counted without a line in the journal. */
  addRejected({ request, organization, key, model, code }: RejectedRequest, at = Date.now()): void {
    this.#journal.count({ ...NOTHING_USED, at: new Date(at), request, organization, key, model, code })
  }

  /** Calls `listener` for each organization whose usage was just written. There is one listener. */
  onWritten(listener: (organization: string) => void): void {
    this.#onWritten = listener
  }

  /** Does not throw: usage that cannot be written now is written later. */
  async flush(): Promise<void> {
    await (this.#flushing ??= this.#writeAll()
      .catch(this.#onError)
      .finally(() => (this.#flushing = undefined)))
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.#flushing
    await this.flush()
    if ((await this.#journal.close()) === 'discarded') await this.#forget(this.#journal.files.journal)
  }

  async #writeAll(): Promise<void> {
    // A batch that failed is tried again as it was, because the store may have added it anyway.
    await this.#writeSealed()
    await this.#journal.seal()
    await this.#writeSealed()
    for (let left = this.#left[0]; left !== undefined; left = this.#left[0]) {
      await this.#writeLeft(left)
      this.#left.shift()
    }
  }

  async #writeSealed(): Promise<void> {
    const { files, sealed } = this.#journal
    for (let segment = sealed[0]; segment !== undefined; segment = sealed[0]) {
      await this.#write(files.journal, segment.number, segment.sums)
      await this.#journal.removeOldest()
    }
  }

  async #writeLeft({ files, segments }: LeftJournal): Promise<void> {
    for (const { number, sums } of segments) {
      await this.#write(files.journal, number, sums)
      await files.remove(number)
    }
    await files.discard()
    await this.#forget(files.journal)
  }

  async #write(journal: string, number: number, sums: UsageSums): Promise<void> {
    await this.#store.addUsage(sums.rows(), { journal, number }, sums.details())
    for (const organization of sums.organizations()) this.#onWritten(organization)
    await this.#store.touchKeys(sums.keyUses()).catch(this.#onError)
  }

  /** Only after the journal is gone: otherwise its segments could be added again. */
  async #forget(journal: string): Promise<void> {
    await this.#store.forgetUsageJournal(journal).catch(this.#onError)
  }
}
