// The files of usage journals. Several gateways may share a folder: each has its own journal there, locked for as long as the process
// lives. `<journal>.lock` is the lock and `<journal>.<number>.jsonl` a segment of the journal.

import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { open, rm, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { randomHex } from '@hearth/chat'
import { folderFor, type Config } from '../config.ts'
import { takeFileLock, type FileLock } from '../locks/file-lock.ts'

const SEGMENT = /^([0-9a-f]{16})\.(\d{1,15})\.jsonl$/

export class UsageJournalFiles {
  readonly journal: string
  readonly #folder: string
  readonly #lock: FileLock

  constructor(folder: string, journal: string, lock: FileLock) {
    this.journal = journal
    this.#folder = folder
    this.#lock = lock
  }

  /** The numbers of the segments, in order. */
  list(): number[] {
    const numbers = listSegments(this.#folder).filter(({ journal }) => journal === this.journal)
    return numbers.map(({ number }) => number).toSorted((one, other) => one - other)
  }

  path(number: number): string {
    return join(this.#folder, `${this.journal}.${number}.jsonl`)
  }

  /** The file is in its folder for good before anything is written to it. */
  async create(number: number): Promise<FileHandle> {
    const file = await open(this.path(number), 'ax', 0o600)
    await this.#syncFolder()
    return file
  }

  async remove(number: number): Promise<void> {
    await rm(this.path(number), { force: true })
  }

  /** Call it once all segments are removed. Afterwards not even a crash of the machine brings them back. */
  async discard(): Promise<void> {
    await this.#syncFolder()
    this.#lock.release()
    rmSync(lockPath(this.#folder, this.journal), { force: true })
  }

  // Windows and some network file systems have no way to sync a folder. There, only a crash of the machine can tell the difference.
  async #syncFolder(): Promise<void> {
    const folder = await open(this.#folder).catch(() => undefined)
    await folder?.sync().catch(() => undefined)
    await folder?.close()
  }
}

export function usageJournalFolder(config: Config): string {
  return folderFor(config.USAGE_JOURNAL, config, 'usage-journal')
}

/** Throws if the folder cannot be used. */
export function claimNewJournal(folder: string): UsageJournalFiles {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const journal = randomHex(8)
  const files = claimJournal(folder, journal)
  if (!files) throw new Error('a new journal is already locked')
  return files
}

/** Every journal in the folder, including those of running gateways. */
export function listJournals(folder: string): string[] {
  return [...new Set(listSegments(folder).map(({ journal }) => journal))]
}

/** Undefined if the journal belongs to a running gateway. */
export function claimJournal(folder: string, journal: string): UsageJournalFiles | undefined {
  const lock = takeFileLock(lockPath(folder, journal))
  return lock && new UsageJournalFiles(folder, journal, lock)
}

function lockPath(folder: string, journal: string): string {
  return join(folder, `${journal}.lock`)
}

function listSegments(folder: string): { journal: string; number: number }[] {
  return readdirSync(folder).flatMap((name) => {
    const [, journal, number] = SEGMENT.exec(name) ?? []
    return journal === undefined ? [] : [{ journal, number: Number(number) }]
  })
}
