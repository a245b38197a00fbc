// The length and checksum of a text that comes in pieces: enough to tell whether another device computed the same text, without keeping it.

const FIRST = 0x811c9dc5
const PRIME = 0x01000193

export class TextSum {
  length = 0
  checksum = FIRST

  /** FNV-1a over UTF-16 units. */
  add(text: string): void {
    let sum = this.checksum
    for (let index = 0; index < text.length; index++) sum = Math.imul(sum ^ text.charCodeAt(index), PRIME)
    this.checksum = sum >>> 0
    this.length += text.length
  }
}
