// Whether the same few tokens are always followed by the same one. After a key of a JSON object, the quotes and the colon come again, but
// the value differs: this tells the two apart, which the length of a match doesn't.

import type { Token } from '../../native/native.ts'
import { entryOf, SMALLEST_TABLE, tableSize } from './token-rows.ts'

/** How tokens were followed: once so far, by the same one, or the last two times by different ones. */
export type Followed = 'once' | 'same' | 'varied'

const NAMES: readonly Followed[] = ['once', 'once', 'same', 'varied']
const [NEVER, ONCE, SAME, VARIED] = [0, 1, 2, 3]

export class Followers {
  /** By a hash of the tokens: the last one that followed, and how. Different tokens may share an entry. */
  #tokens = new Int32Array(SMALLEST_TABLE)
  #kinds = new Uint8Array(SMALLEST_TABLE)
  #next: number
  readonly #length: number

  /** So many tokens in a row are looked at. */
  constructor(length: number) {
    this.#length = length
    this.#next = length
  }

  /** For each guess, how the tokens before it were followed. `last` comes after `tokens`, and the guesses after that. */
  of(tokens: readonly Token[], last: Token, guesses: readonly Token[]): Followed[] {
    this.#add(tokens)
    const row = [...tokens.slice(tokens.length - this.#length + 1), last, ...guesses]
    const before = row.length - guesses.length
    return guesses.map((_, index) => NAMES[this.#kinds[this.#entryOf(row, before + index)]!]!)
  }

  #add(tokens: readonly Token[]): void {
    if (tokens.length * 2 > this.#tokens.length) this.#grow(tokens.length)
    for (; this.#next < tokens.length; this.#next++) this.#note(this.#entryOf(tokens, this.#next), tokens[this.#next]!)
  }

  #note(entry: number, token: Token): void {
    const kind = this.#kinds[entry]!
    const isSame = this.#tokens[entry] === token
    this.#kinds[entry] = kind === NEVER ? ONCE : !isSame ? VARIED : kind === VARIED ? ONCE : SAME
    this.#tokens[entry] = token
  }

  #grow(length: number): void {
    const size = tableSize(length)
    this.#tokens = new Int32Array(size)
    this.#kinds = new Uint8Array(size)
    this.#next = this.#length
  }

  /** Of the tokens before `end`. */
  #entryOf(tokens: readonly Token[], end: number): number {
    return entryOf(this.#tokens.length, tokens, end - this.#length, this.#length, tokens[end - 1]!)
  }
}
