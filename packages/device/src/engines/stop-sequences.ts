// Turns the bytes of a reply into text as they come, and ends it right after the first complete stop sequence. The stop sequence stays in the
// reply, so no text is held back for it; only an incomplete character is, until the rest of it arrives.

/** The replacement character for invalid bytes. */
const REPLACEMENT = '\u{fffd}'

export interface TextPiece {
  text: string
  isStopped: boolean
}

export class StopSequences {
  readonly #stops: readonly Buffer[]
  /** The number of bytes back that a stop sequence can have begun. */
  readonly #lookBack: number
  #seen: Buffer = Buffer.alloc(0)
  #unsent: Buffer = Buffer.alloc(0)
  #isStopped = false

  constructor(stops: readonly string[]) {
    this.#stops = stops.filter((stop) => stop !== '').map((stop) => Buffer.from(stop))
    this.#lookBack = Math.max(0, ...this.#stops.map((stop) => stop.length - 1))
  }

  push(bytes: Buffer): TextPiece {
    if (this.#isStopped) return { text: '', isStopped: true }
    const end = this.#findEnd(bytes)
    if (end !== undefined) {
      this.#isStopped = true
      return { text: this.#take(bytes.subarray(0, end)), isStopped: true }
    }
    return { text: this.#take(bytes), isStopped: false }
  }

  // The end of the first complete stop sequence in `bytes`.
  #findEnd(bytes: Buffer): number | undefined {
    if (this.#stops.length === 0) return undefined
    const before = this.#seen.length
    const window = Buffer.concat([this.#seen, bytes])
    const ends = this.#stops.flatMap((stop) => {
      const at = window.indexOf(stop)
      return at < 0 ? [] : [at + stop.length - before]
    })
    this.#seen = this.#lookBack === 0 ? Buffer.alloc(0) : window.subarray(-this.#lookBack)
    return ends.length === 0 ? undefined : Math.min(...ends)
  }

  #take(bytes: Buffer): string {
    const all = this.#unsent.length === 0 ? bytes : Buffer.concat([this.#unsent, bytes])
    const whole = wholeCharacters(all)
    this.#unsent = all.subarray(whole)
    return decode(all.subarray(0, whole))
  }
}

function decode(bytes: Buffer): string {
  const text = bytes.toString('utf8')
  return text.includes(REPLACEMENT) ? decodeOneByOne(bytes) : text
}

/**
 * A grammar counts bytes with the shape of one character as one, even if they are invalid, such as
 * an overlong encoding. The decoder would replace each byte; it must be one replacement for all of
 * them, or a reply would have more characters than its schema allows.
 */
function decodeOneByOne(bytes: Buffer): string {
  let text = ''
  for (let at = 0; at < bytes.length;) {
    const length = shapedLength(bytes, at)
    const character = bytes.toString('utf8', at, at + length)
    text += character.startsWith(REPLACEMENT) ? REPLACEMENT : character
    at += length
  }
  return text
}

/** The bytes that have the shape of one character; a byte that can't begin one stands alone. */
function shapedLength(bytes: Buffer, at: number): number {
  const lead = bytes.readUInt8(at)
  const length = lead < 0xc0 ? 1 : characterLength(lead)
  const rest = bytes.subarray(at + 1, at + length)
  return rest.length === length - 1 && rest.every((byte) => (byte & 0xc0) === 0x80) ? length : 1
}

/** The number of leading bytes that end with a complete character, or with bytes that can't become one. */
export function wholeCharacters(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes.readUInt8(bytes.length - back)
    if (byte < 0x80) return bytes.length
    if (byte >= 0xc0) return back < characterLength(byte) ? bytes.length - back : bytes.length
  }
  return bytes.length
}

function characterLength(lead: number): number {
  if (lead >= 0xf5) return 1
  if (lead >= 0xf0) return 4
  return lead >= 0xe0 ? 3 : 2
}
