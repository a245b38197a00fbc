// A usage ledger on real files, with a store that adds each batch once, as the real one does. "Crashes" keep what was on disk.

import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { UsageJournal } from '../observe/usage-journal.ts'
import { UsageLedger } from '../observe/usage-ledger.ts'
import { readLeftJournals } from '../observe/usage-left.ts'
import type { UsageRow } from '../store/usage/usage-addition.ts'
import type { UsageBatchId, UsageDetails } from '../store/usage/usage.ts'

export class UsageWorld {
  folder = mkdtempSync(join(tmpdir(), 'hearth-usage-'))
  readonly folders = [this.folder]
  readonly batches: UsageRow[][] = []
  readonly details: UsageDetails[] = []
  readonly troubles: unknown[] = []
  unprotected = 0
  damagedLines = 0
  /** Runs before and after a batch is added. */
  beforeCommit = async (): Promise<void> => {}
  afterCommit = async (): Promise<void> => {}
  readonly added = new Map<string, number>()
  readonly keyUses: string[] = []

  readonly store = {
    addUsage: async (rows: readonly UsageRow[], batch?: UsageBatchId, details?: UsageDetails) => {
      await this.beforeCommit()
      const { journal, number } = batch!
      if (number > (this.added.get(journal) ?? 0)) {
        this.batches.push(structuredClone([...rows]))
        if (details) this.details.push(details)
      }
      this.added.set(journal, Math.max(number, this.added.get(journal) ?? 0))
      await this.afterCommit()
    },
    forgetUsageJournal: async (journal: string) => void this.added.delete(journal),
    touchKeys: async (uses: readonly { key: string; at: Date }[]) =>
      void this.keyUses.push(...uses.map(({ key, at }) => `${key} ${at.getTime()}`)),
  }

  /** Starts a gateway's ledger, which writes only when told to. */
  async open(): Promise<UsageLedger> {
    const onTrouble = (error: unknown) => void this.troubles.push(error)
    const journal = await UsageJournal.open(this.folder, { onTrouble, onUnprotected: () => void this.unprotected++ })
    const left = await readLeftJournals(this.folder, onTrouble)
    this.damagedLines = left.reduce((sum, { damagedLines }) => sum + damagedLines, 0)
    const ledger = new UsageLedger({ store: this.store, journal, left, flushMs: 3_600_000, onError: () => {} })
    await ledger.flush()
    return ledger
  }

  /** From here on the world is what it would be if the process had ended now: the same files, locked by nobody. */
  crash(): void {
    const copy = mkdtempSync(join(tmpdir(), 'hearth-usage-'))
    cpSync(this.folder, copy, { recursive: true })
    this.folder = copy
    this.folders.push(copy)
  }

  get requests(): number {
    return this.batches.flat().reduce((sum, { requests }) => sum + requests, 0)
  }

  files(ending = '.jsonl'): string[] {
    return readdirSync(this.folder).filter((name) => name.endsWith(ending))
  }

  /** Everything in the journals. */
  text(): string {
    return this.files()
      .map((name) => readFileSync(join(this.folder, name), 'utf8'))
      .join('')
  }

  remove(): void {
    for (const folder of this.folders) rmSync(folder, { recursive: true, force: true })
  }
}
