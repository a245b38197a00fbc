// Follows a text through a grammar, character by character, and knows which items its arrays have. llama.cpp reads the same grammar faster,
// but can't remember items: a text has to be allowed by both. A place in a text is never changed, so it can be kept and continued twice.

import type { Expression } from '../grammar/expression.ts'
import type { GrammarTree } from '../grammar/grammar-rules.ts'
import { hasWayOut } from './ways-out.ts'
import { Ways } from './ways.ts'
import type { Scope } from './written-items.ts'

/** How far a text has come. */
export interface Followed {
  readonly ways: Ways
  /** The text since the outermost open item began, and how long all text before it is. */
  readonly text: string
  readonly before: number
  /** The bytes of a character that isn't complete. */
  readonly partial: Uint8Array
}

const NO_BYTES = new Uint8Array()

export class Follower {
  readonly #root: Expression
  readonly #rules: ReadonlyMap<string, Expression>

  constructor({ root, rules }: GrammarTree) {
    this.#root = root
    this.#rules = rules
  }

  start(): Followed {
    return { ways: Ways.start(this.#root, this.#rules), text: '', before: 0, partial: NO_BYTES }
  }

  /** Undefined if the text can't continue like this, or could never be complete then. */
  follow(place: Followed, more: Uint8Array): Followed | undefined {
    const { text, partial } = decode(place.partial.length === 0 ? more : joined(place.partial, more))
    return this.followText({ ...place, partial }, text)
  }

  /** The same for whole characters. */
  followText(place: Followed, more: string): Followed | undefined {
    const text = place.text + more
    let { ways } = place
    let end = place.text.length
    for (const character of more) {
      end += character.length
      ways = ways.take(character.codePointAt(0)!, { text, before: place.before, end })
      if (ways.list.length === 0) return undefined
    }
    if (ways !== place.ways && place.partial.length === 0 && !hasWayOut(ways, { text, before: place.before, end }))
      return undefined
    return { ...place, ways, ...needed(ways, text, place.before) }
  }

  allows(text: string): boolean {
    return this.followText(this.start(), text)?.ways.isComplete === true
  }
}

/** Only open items need the text. */
function needed(ways: Ways, text: string, before: number): Pick<Followed, 'text' | 'before'> {
  const end = before + text.length
  const from = ways.list.reduce((least, { scope }) => Math.min(least, beginOf(scope, end)), end)
  return { text: text.slice(from - before), before: from }
}

/** Where the outermost open item begins. */
function beginOf(scope: Scope | undefined, end: number): number {
  let begin = end
  for (let open = scope; open !== undefined; open = open.outer) begin = open.begin ?? begin
  return begin
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

function decode(bytes: Uint8Array): { text: string; partial: Uint8Array } {
  const whole = bytes.length - partialLength(bytes)
  return { text: decoder.decode(bytes.subarray(0, whole)), partial: bytes.subarray(whole) }
}

/** How many bytes at the end begin a character that isn't complete. */
function partialLength(bytes: Uint8Array): number {
  for (let length = 1; length <= Math.min(3, bytes.length); length++) {
    const byte = bytes[bytes.length - length]!
    if (byte >= 0xc0) return length < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) ? length : 0
    if (byte < 0x80) return 0
  }
  return 0
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
  const all = new Uint8Array(a.length + b.length)
  all.set(a)
  all.set(b, a.length)
  return all
}
