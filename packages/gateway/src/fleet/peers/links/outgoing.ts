// The sending half of a peer link in one session: texts become packets, and no more of them are on the bus than the other end can take.

/** A message size that the bus handles well; NATS allows 1 MiB. */
const PART_BYTES = 256 * 1024
/** At most this much is on the bus at once. */
export const WINDOW_BYTES = 4 * 1024 * 1024
const HIGH_BYTES = 1024 * 1024
const LOW_BYTES = 256 * 1024

interface Part {
  kind: 'part' | 'batch'
  body: Uint8Array
}

export class Outgoing {
  /** Of the last packet. */
  number = 0
  #sentBytes = 0
  #confirmedBytes = 0
  /** Since the last flush. */
  #texts: string[] = []
  #textBytes = 0
  /** Parts that wait for room on the bus. */
  #parts: Part[] = []
  #partBytes = 0
  #isPressed = false

  get backlogBytes(): number {
    return this.#sentBytes - this.#confirmedBytes + this.#partBytes + this.#textBytes
  }

  add(text: string): void {
    this.#texts.push(text)
    this.#textBytes += text.length
  }

  /** Returns false if the other end has said so before. */
  confirm(bytes: number): boolean {
    if (bytes <= this.#confirmedBytes) return false
    this.#confirmedBytes = bytes
    return true
  }

  /** Makes packets of the texts since the last flush. */
  cut(): void {
    if (this.#texts.length === 0) return
    const batch = Buffer.from(`[${this.#texts.join(',')}]`)
    this.#texts = []
    this.#textBytes = 0
    this.#partBytes += batch.length
    for (let start = 0; start < batch.length; start += PART_BYTES) {
      const end = start + PART_BYTES
      this.#parts.push({ kind: end < batch.length ? 'part' : 'batch', body: batch.subarray(start, end) })
    }
  }

  /** The next packet, if there is room for it on the bus. */
  next(): Part | undefined {
    if (this.#sentBytes - this.#confirmedBytes >= WINDOW_BYTES) return undefined
    const part = this.#parts.shift()
    if (part === undefined) return undefined
    this.#partBytes -= part.body.length
    this.#sentBytes += part.body.length
    this.number += 1
    return part
  }

  /** True when too much waits, false when little does again, undefined if nothing has changed. */
  pressure(): boolean | undefined {
    const bytes = this.backlogBytes
    if (this.#isPressed ? bytes > LOW_BYTES : bytes < HIGH_BYTES) return undefined
    this.#isPressed = !this.#isPressed
    return this.#isPressed
  }
}
