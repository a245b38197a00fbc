// Reads a file from the start, piece by piece. It never reads past the end, and it checks every length it finds.

import { readSync } from 'node:fs'

/** The file ends too early. */
export class FileCutError extends Error {
  override name = 'FileCutError'
}

const WINDOW_BYTES = 1024 * 1024

export class FileReader {
  readonly #file: number
  readonly #length: number
  #window: Buffer = Buffer.alloc(0)
  /** The window's position in the file, and the position of the next byte in the window. */
  #windowStart = 0
  #offset = 0

  constructor(file: number, length: number) {
    this.#file = file
    this.#length = length
  }

  get position(): number {
    return this.#windowStart + this.#offset
  }

  get remaining(): number {
    return this.#length - this.position
  }

  skip(bytes: number): void {
    if (bytes > this.remaining) throw new FileCutError()
    const target = this.position + bytes
    if (target <= this.#windowStart + this.#window.length) this.#offset += bytes
    else this.#moveTo(target)
  }

  uint8(): number {
    return this.#take(1).readUInt8()
  }

  uint16(): number {
    return this.#take(2).readUInt16LE()
  }

  uint32(): number {
    return this.#take(4).readUInt32LE()
  }

  /** For counts and lengths. A value beyond the safe integers means that the file is damaged. */
  uint64(): number {
    const at = this.#pass(8)
    const value = this.#window.readUInt32LE(at + 4) * 2 ** 32 + this.#window.readUInt32LE(at)
    if (value > Number.MAX_SAFE_INTEGER) throw new FileCutError()
    return value
  }

  text(maxBytes: number): string {
    const length = this.#length64()
    if (length > maxBytes) throw new FileCutError()
    return this.#take(length).toString('utf8')
  }

  /** Undefined if the text is longer than that; then it is skipped. */
  shortText(maxBytes: number): string | undefined {
    const length = this.#length64()
    if (length <= maxBytes) return this.#take(length).toString('utf8')
    this.skip(length)
    return undefined
  }

  skipText(): void {
    this.skip(this.#length64())
  }

  #length64(): number {
    const length = this.uint64()
    if (length > this.remaining) throw new FileCutError()
    return length
  }

  #take(bytes: number): Buffer {
    const at = this.#pass(bytes)
    return this.#window.subarray(at, at + bytes)
  }

  /** Moves on by that many bytes. Returns where they are in the window. */
  #pass(bytes: number): number {
    if (bytes > this.remaining) throw new FileCutError()
    if (this.#offset + bytes > this.#window.length) this.#fill(bytes)
    const at = this.#offset
    this.#offset += bytes
    return at
  }

  #fill(bytes: number): void {
    const start = this.position
    const window = Buffer.alloc(Math.min(Math.max(bytes, WINDOW_BYTES), this.#length - start))
    const read = readSync(this.#file, window, 0, window.length, start)
    if (read < bytes) throw new FileCutError()
    this.#window = window.subarray(0, read)
    this.#windowStart = start
    this.#offset = 0
  }

  #moveTo(position: number): void {
    this.#window = Buffer.alloc(0)
    this.#windowStart = position
    this.#offset = 0
  }
}
