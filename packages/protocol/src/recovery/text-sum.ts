// The length and checksum of a text that comes in pieces: enough to tell whether another device
// computed the same text, without keeping it.

const FIRST = 0x811c9dc5
const PRIME = 0x01000193

export class TextSum {
  length = 0
  /** Signed, because only then V8 stores it without an object of its own. */
  #sum = FIRST | 0

  get checksum(): number {
    return this.#sum >>> 0
  }

  /** FNV-1a over UTF-16 units. */
  add(text: string): void {
    let sum = this.#sum
    for (let index = 0; index < text.length; index++) sum = Math.imul(sum ^ text.charCodeAt(index), PRIME)
    this.#sum = sum
    this.length += text.length
  }
}
