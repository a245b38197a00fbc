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
  #bytes = 0
  #isDirty = false
  /** The last line may be incomplete: the next one must not continue it. */
  #isCut = false

  constructor(number: number, file: FileHandle | undefined) {
    this.number = number
    this.#file = file
  }

  /**
   * Counts the request in any case; throws if it could not be written to the file. Written at once and not later: what the system has taken
   * survives the end of this process, and taking 180 bytes costs about 2 µs.
   */
  add(record: UsageRecord): void {
    this.sums.add(record)
    if (!this.#file) throw new Error('the segment has no file')
    if (this.#bytes > MAX_BYTES) throw new Error('the segment is full')
    this.#write(this.#file.fd, (this.#isCut ? '\n' : '') + formatUsageRecord(record))
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

  #write(fd: number, line: string): void {
    const size = Buffer.byteLength(line)
    this.#isCut = true
    this.#isDirty = true
    const written = writeSync(fd, line)
    this.#bytes += written
    if (written < size) throw new Error('the disk is full')
    this.#isCut = false
  }
}
