// The digests of the keys that were used lately, by the Authorization header they came in, so that a key is not hashed again with every
// request. A digest says nothing about whether the key works: that is looked up each time, so a revoked key stops working as soon as it does
// without this.

/** Two generations of this size: when the younger one is full, it becomes the older one, and the older one is forgotten. */
const GENERATION = 4_096
/** A header with a key is much shorter, however many spaces a client puts into it. */
const LONGEST = 256

export class RecentDigests {
  readonly #capacity: number
  #younger = new Map<string, string>()
  #older = new Map<string, string>()

  constructor(capacity = GENERATION) {
    this.#capacity = capacity
  }

  get(header: string): string | undefined {
    const digest = this.#younger.get(header)
    if (digest !== undefined) return digest
    const old = this.#older.get(header)
    if (old !== undefined) this.keep(header, old)
    return old
  }

  /** Only for keys that work: anyone can send others. */
  keep(header: string, digest: string): void {
    if (header.length > LONGEST) return
    if (this.#younger.size >= this.#capacity) {
      this.#older = this.#younger
      this.#younger = new Map()
    }
    this.#younger.set(header, digest)
  }
}
