// What the gateway needs of its machine: room on the disk, a journal that it can write, a clock that is right, and descriptors. It looks
// every few seconds, so that /readyz answers at once. Strangers can read that page: problems name no folder.

import { open, readdir, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { formatBytes } from '@hearth/command-line/format'
import { openFilesLimit } from '@hearth/command-line/machine/open-files'
import { errorCode } from '../error-code.ts'
import type { Log } from './log.ts'

export const MACHINE_CHECKS = ['disk', 'journal', 'clock', 'descriptors'] as const
/** What is wrong, and what will happen next. */
export type MachineProblems = Partial<Record<(typeof MACHINE_CHECKS)[number], string | undefined>>

export interface MachineHealthOptions {
  journalFolder: string
  /** What time it is for the database. */
  storeTime: () => Promise<Date>
  log: Pick<Log, 'warn' | 'info'>
}

const LOOK_MS = 5_000
const LEAST_FREE = 0.05
const MOST_DESCRIPTORS = 0.9
const MOST_SKEW_MS = 10_000
/** A file system gives room in blocks. */
const BLOCK = Buffer.alloc(4_096)

export class MachineHealth {
  readonly #options: MachineHealthOptions
  readonly #timer: NodeJS.Timeout
  #problems: MachineProblems = {}
  #isLooking = false

  constructor(options: MachineHealthOptions) {
    this.#options = options
    this.#timer = setInterval(() => void this.look(), LOOK_MS).unref()
    void this.look()
  }

  get problems(): MachineProblems {
    return this.#problems
  }

  close(): void {
    clearInterval(this.#timer)
  }

  async look(): Promise<void> {
    if (this.#isLooking) return
    this.#isLooking = true
    const { journalFolder, storeTime } = this.#options
    const [disk, journal, clock, descriptors] = await Promise.all([
      lookAtDisk(journalFolder),
      tryJournal(journalFolder),
      compareClocks(storeTime),
      countDescriptors(),
    ])
    this.#note({ disk, journal, clock, descriptors })
    this.#isLooking = false
  }

  #note(problems: MachineProblems): void {
    const { log } = this.#options
    for (const check of MACHINE_CHECKS) {
      const [before, now] = [this.#problems[check], problems[check]]
      if (before === undefined && now !== undefined) log.warn({ check }, now)
      if (before !== undefined && now === undefined) log.info({ check }, 'no longer a problem')
    }
    this.#problems = problems
  }
}

export function judgeDisk(freeBytes: number, totalBytes: number): string | undefined {
  if (totalBytes === 0 || freeBytes / totalBytes >= LEAST_FREE) return undefined
  const percent = ((100 * freeBytes) / totalBytes).toFixed(1)
  return `${percent}% of the disk is free (${formatBytes(freeBytes)}). When it is full, usage is kept only in memory and nothing can be changed; if the database on it stops, requests are rejected after STORE_GRACE_S. Make room`
}

export function judgeClock(skewMs: number): string | undefined {
  if (Math.abs(skewMs) <= MOST_SKEW_MS) return undefined
  const seconds = Math.round(Math.abs(skewMs) / 1_000)
  return `the clock of this machine is ${seconds} s ${skewMs > 0 ? 'ahead of' : 'behind'} the database's. Keys, sessions and links end too ${skewMs > 0 ? 'early' : 'late'}, and usage is counted in the wrong hour. Set both by NTP`
}

export function judgeDescriptors(used: number, limit: number): string | undefined {
  if (used / limit <= MOST_DESCRIPTORS) return undefined
  return `${used} of ${limit} descriptors are in use. When none is left, new connections are rejected. Raise the limit (LimitNOFILE), or look for clients that leave connections open`
}

/** Undefined if it can't be told: that is another check's problem. */
async function lookAtDisk(folder: string): Promise<string | undefined> {
  const disk = await statfs(folder).catch(() => undefined)
  // As `df` counts: without what only root may use.
  return disk && judgeDisk(disk.bavail * disk.bsize, (disk.blocks - disk.bfree + disk.bavail) * disk.bsize)
}

async function tryJournal(folder: string): Promise<string | undefined> {
  // One name for all, gone before it is written: a gateway that is killed here leaves nothing behind.
  const file = join(folder, 'write.probe')
  try {
    await using probe = await open(file, 'w', 0o600)
    await rm(file, { force: true })
    await probe.writeFile(BLOCK)
    return undefined
  } catch (error) {
    return `the usage journal cannot be written (${errorCode(error)}). Usage that is not in the database yet is lost if the gateway stops now`
  }
}

/** Nothing if the database doesn't answer: that is the problem then. */
async function compareClocks(storeTime: () => Promise<Date>): Promise<string | undefined> {
  const askedAt = Date.now()
  const time = await storeTime().catch(() => undefined)
  const midMs = (askedAt + Date.now()) / 2
  return time && judgeClock(midMs - time.getTime())
}

/** Other systems than Linux have no such folder. */
async function countDescriptors(): Promise<string | undefined> {
  const open = await readdir('/proc/self/fd').catch(() => undefined)
  return open && judgeDescriptors(open.length, openFilesLimit())
}
