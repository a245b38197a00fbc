// The bytes of a body so far, in one piece. Chunks are copied rather than listed: a client can send each byte as a chunk of its own, and
// the object for a chunk is far larger than that. Most bodies are a single chunk, which is not copied.

/** A body of unknown size gets this many times the memory it needs, so that it is seldom copied. */
export const GROWTH = 2

const NOTHING = Buffer.alloc(0)

export class CollectedBytes {
  readonly #declaredBytes: number
  #buffer: Buffer = NOTHING
  #size = 0

  constructor(declaredBytes: number) {
    this.#declaredBytes = declaredBytes
  }

  get size(): number {
    return this.#size
  }

  add(chunk: Buffer): void {
    const size = this.#size + chunk.length
    if (this.#size === 0) this.#buffer = chunk
    else {
      if (size > this.#buffer.length) this.#grow(size)
      chunk.copy(this.#buffer, this.#size)
    }
    this.#size = size
  }

  all(): Buffer {
    return this.#buffer.subarray(0, this.#size)
  }

  clear(): void {
    this.#buffer = NOTHING
    this.#size = 0
  }

  #grow(needed: number): void {
    const isDeclared = needed <= this.#declaredBytes
    const larger = Buffer.allocUnsafeSlow(isDeclared ? this.#declaredBytes : GROWTH * needed)
    this.#buffer.copy(larger, 0, 0, this.#size)
    this.#buffer = larger
  }
}
