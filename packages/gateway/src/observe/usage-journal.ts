// Usage that is not in the database yet, on disk. Each request is written before its client gets the end of the answer, so it survives if this
// process is killed; those that end together are written together. Twice a second the file is synced, so that at most a second is lost if the
// machine crashes. A journal that cannot be written stops nobody: usage is still counted in memory.

import type { FileHandle } from 'node:fs/promises'
import { errorCode } from '../error-code.ts'
import { claimNewJournal, type UsageJournalFiles } from './usage-journal-files.ts'
import type { UsageRecord } from './usage-record.ts'
import { UsageSegment } from './usage-segment.ts'

const SYNC_MS = 500

export interface UsageJournalReports {
  /** The journal cannot be written. Called once, and again if it fails after it has worked in between. */
  onTrouble: (error: unknown) => void
  /** A crash before the next write to the store would lose this request. */
  onUnprotected: () => void
}

export class UsageJournal {
  readonly files: UsageJournalFiles
  /** Complete segments that wait for the store, oldest first. */
  readonly sealed: UsageSegment[] = []
  readonly #reports: UsageJournalReports
  readonly #timer: NodeJS.Timeout
  #current: UsageSegment
  #hasFailed = false
  #isReported = false
  #isSyncing = false
  #isWriting = false
  #acts: (() => void)[] = []

  private constructor(files: UsageJournalFiles, first: FileHandle, reports: UsageJournalReports) {
    this.files = files
    this.#current = new UsageSegment(1, first)
    this.#reports = reports
    this.#timer = setInterval(() => void this.#sync(), SYNC_MS).unref()
  }

  static async open(folder: string, reports: UsageJournalReports): Promise<UsageJournal> {
    try {
      const files = claimNewJournal(folder)
      return new UsageJournal(files, await files.create(1), reports)
    } catch (error) {
      const code = errorCode(error)
      throw new Error(
        `the usage journal in ${folder} cannot be written${code === undefined ? '' : ` (${code})`}. Set USAGE_JOURNAL to a folder that the gateway can write to`,
        { cause: error },
      )
    }
  }

  /** Returns the number of the segment that it will be in. */
  add(record: UsageRecord): number {
    this.#current.add(record)
    this.whenWritten()
    return this.#current.number
  }

  /** Calls `act` when everything that was added has been written, which is at the end of this tick, before anything that was sent meanwhile. */
  whenWritten(act?: () => void): void {
    if (act) this.#acts.push(act)
    if (this.#isWriting) return
    this.#isWriting = true
    process.nextTick(this.#write)
  }

  /** Counts a request only in memory: losing it in a crash does no harm. */
  count(record: UsageRecord): void {
    this.#current.count(record)
  }

  /** Completes the current segment and starts the next one. */
  async seal(): Promise<void> {
    if (this.#current.sums.isEmpty) return
    const number = this.#current.number + 1
    const file = await this.files.create(number).catch((error: unknown) => this.#fail(error))
    this.#write()
    const complete = this.#current
    this.#current = new UsageSegment(number, file)
    this.sealed.push(complete)
    if (!this.#hasFailed) this.#isReported = false
    this.#hasFailed = false
    await complete.close().catch((error: unknown) => this.#fail(error))
  }

  /** Call it when the store has the oldest sealed segment. */
  async removeOldest(): Promise<void> {
    const oldest = this.sealed.shift()
    if (oldest) await this.files.remove(oldest.number).catch((error: unknown) => this.#fail(error))
  }

  /** Removes the journal if all of it is in the store; otherwise it is left for the next start. */
  async close(): Promise<'discarded' | 'left'> {
    clearInterval(this.#timer)
    this.#write()
    await this.#current.close().catch((error: unknown) => this.#fail(error))
    if (this.sealed.length > 0 || !this.#current.sums.isEmpty) return 'left'
    await this.files.remove(this.#current.number)
    await this.files.discard()
    return 'discarded'
  }

  readonly #write = (): void => {
    this.#isWriting = false
    const failure = this.#current.write()
    if (failure) {
      for (let request = 0; request < failure.requests; request++) this.#reports.onUnprotected()
      this.#fail(failure.error)
    }
    const acts = this.#acts
    this.#acts = []
    for (const act of acts) act()
  }

  async #sync(): Promise<void> {
    if (this.#isSyncing) return
    this.#isSyncing = true
    await this.#current.sync().catch((error: unknown) => this.#fail(error))
    this.#isSyncing = false
  }

  #fail(error: unknown): undefined {
    this.#hasFailed = true
    if (!this.#isReported) this.#reports.onTrouble(error)
    this.#isReported = true
  }
}
