// A part of the usage journal that is written to the store in one batch: a file, and the sums of what is in it.

import { writeSync } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { formatUsageRecord, type UsageRecord } from './usage-record.ts'
import { UsageSums } from './usage-sums.ts'

/** A segment grows while the store is out of reach. One request takes about 180 bytes. */
export const MAX_BYTES = 256 * 1024 * 1024

export class UsageSegment {
  readonly number: number
  readonly sums = new UsageSums()
  readonly #file: FileHandle | undefined
  #lines: string[] = []
  #bytes = 0
  #isDirty = false
  /** The last line may be incomplete: the next one must not continue it. */
  #isCut = false

  constructor(number: number, file: FileHandle | undefined) {
    this.number = number
    this.#file = file
  }

  /** Counts the request. Its line waits for `write`. */
  add(record: UsageRecord): void {
    this.sums.add(record)
    this.#lines.push(formatUsageRecord(record))
  }

  /**
   * Writes the lines that wait, in one piece: what the system has taken survives the end of this process. Returns what went wrong, if
   * anything did, and how many requests are not in the file because of it.
   */
  write(): { error: unknown; requests: number } | undefined {
    const lines = this.#lines
    if (lines.length === 0) return undefined
    this.#lines = []
    try {
      const writtenBytes = this.#append(lines.join(''))
      if (!this.#isCut) return undefined
      return { error: new Error('the disk is full'), requests: countAfter(lines, writtenBytes) }
    } catch (error) {
      return { error, requests: lines.length }
    }
  }

  /** Counts a request that is not worth a line in the file. */
  count(record: UsageRecord): void {
    this.sums.add(record)
  }

  /** Resolves when everything that was written before the call would survive a crash of the machine. */
  async sync(): Promise<void> {
    if (!this.#isDirty) return
    this.#isDirty = false
    await this.#file?.datasync()
  }

  async close(): Promise<void> {
    try {
      await this.sync()
    } finally {
      await this.#file?.close()
    }
  }

  #append(text: string): number {
    if (!this.#file) throw new Error('the segment has no file')
    if (this.#bytes > MAX_BYTES) throw new Error('the segment is full')
    const bytes = Buffer.from(this.#isCut ? `\n${text}` : text)
    this.#isCut = true
    this.#isDirty = true
    const written = writeSync(this.#file.fd, bytes)
    this.#bytes += written
    this.#isCut = written < bytes.length
    return written
  }
}

/** How many of the lines end after so many bytes. */
function countAfter(lines: readonly string[], bytes: number): number {
  let end = 0
  return lines.filter((line) => (end += Buffer.byteLength(line)) > bytes).length
}
