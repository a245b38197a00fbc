// Measures JSON text as it arrives, without parsing it: how deeply it is nested and how many values it has. A few megabytes of brackets
// would keep a parser busy for seconds and take up hundreds of megabytes. One pass over the bytes, chunk by chunk.

/** More than any schema or conversation needs. */
export const MAX_DEPTH = 64
/** A conversation of 4,096 messages with 1,024 tools has fewer. Parsing this many values takes about a tenth of a second at worst. */
export const MAX_VALUES = 250_000

const QUOTE = 0x22
const COMMA = 0x2c
const BACKSLASH = 0x5c
const OPEN_BRACKET = 0x5b
const CLOSE_BRACKET = 0x5d
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d

/** Inside a string, this many bytes are looked at one by one before the native search for its end: it is faster, but slow to call. */
const STEP = 32

export type JsonExcess = 'depth' | 'values'

export class JsonScan {
  #values = 0
  #depth = 0
  #isInString = false
  /** The last byte was a backslash that escapes the next one. */
  #isEscaping = false

  /** Every array, object and comma so far. That is about the number of values. */
  get values(): number {
    return this.#values
  }

  /** Returns the limit that the text exceeds, if any. */
  take(chunk: Uint8Array): JsonExcess | undefined {
    let index = this.#isInString ? this.#leaveString(chunk, 0) : 0
    for (; index < chunk.length; index++) {
      const byte = chunk[index]
      if (byte === QUOTE) index = this.#leaveString(chunk, index + 1) - 1
      else if (byte === COMMA) this.#values++
      else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
        this.#values++
        if (++this.#depth > MAX_DEPTH) return 'depth'
      } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) this.#depth--
    }
    return this.#values > MAX_VALUES ? 'values' : undefined
  }

  /** Returns the index after the end of the string, or the length of the chunk if the string continues in the next one. */
  #leaveString(chunk: Uint8Array, start: number): number {
    this.#isInString = true
    let index = start
    while (index < chunk.length) {
      const end = this.#stepThrough(chunk, index)
      if (!this.#isInString) return end
      index = this.#jumpToQuote(chunk, end)
    }
    return index
  }

  #stepThrough(chunk: Uint8Array, start: number): number {
    const end = Math.min(start + STEP, chunk.length)
    let isEscaping = this.#isEscaping
    for (let index = start; index < end; index++) {
      const byte = chunk[index]
      if (isEscaping) isEscaping = false
      else if (byte === BACKSLASH) isEscaping = true
      else if (byte === QUOTE) {
        this.#isEscaping = false
        this.#isInString = false
        return index + 1
      }
    }
    this.#isEscaping = isEscaping
    return end
  }

  #jumpToQuote(chunk: Uint8Array, start: number): number {
    const quote = chunk.indexOf(QUOTE, start)
    const end = quote === -1 ? chunk.length : quote
    let backslashes = 0
    while (end - backslashes > start && chunk[end - backslashes - 1] === BACKSLASH) backslashes++
    const isWholeWay = backslashes === end - start
    this.#isEscaping = (backslashes + (isWholeWay && this.#isEscaping ? 1 : 0)) % 2 === 1
    return end
  }
}
