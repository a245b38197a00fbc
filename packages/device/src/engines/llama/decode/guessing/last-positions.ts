// Where so many tokens in a row were last seen, and whether the same one always followed. After a key of a JSON object, the quotes and the
// colon come again, but the value differs: this tells the two apart, which the length of a match doesn't.

import type { Token } from '../../native/native.ts'

/** How tokens were followed: once so far, by the same one, or the last two times by different ones. */
export type Followed = 'once' | 'same' | 'varied'

const NAMES: readonly Followed[] = ['once', 'same', 'varied']
const [ONCE, SAME, VARIED] = [0, 1, 2]
const SMALLEST_TABLE = 1024

export class LastPositions {
  readonly #length: number
  /** By a hash of the tokens: the place after them, or 0. Different tokens may share an entry: whoever asks compares them. */
  #positions = new Int32Array(SMALLEST_TABLE)
  #kinds = new Uint8Array(SMALLEST_TABLE)
  /** All places before this one are in the table. */
  #next: number

  constructor(length: number) {
    this.#length = length
    this.#next = length
  }

  /** The place after the last tokens in a row, of which the final one comes after `tokens`. 0 if there is none. */
  find(tokens: readonly Token[], last: Token): number {
    this.#add(tokens, last)
    return this.#positions[this.#entryOf(tokens, tokens.length + 1, last)]!
  }

  /** For each guess, how the tokens before it were followed. `last` comes after `tokens`, and the guesses after that. */
  followed(tokens: readonly Token[], last: Token, guesses: readonly Token[]): Followed[] {
    this.#add(tokens, last)
    const row = [...tokens.slice(tokens.length - this.#length + 1), last, ...guesses]
    const before = row.length - guesses.length
    return guesses.map((_, index) => NAMES[this.#kinds[this.#entryOf(row, before + index)]!]!)
  }

  #add(tokens: readonly Token[], last: Token): void {
    if (tokens.length * 2 > this.#positions.length) this.#grow(tokens.length)
    for (; this.#next <= tokens.length; this.#next++) {
      const entry = this.#entryOf(tokens, this.#next)
      const [position, token] = [this.#positions[entry]!, tokens[this.#next] ?? last]
      if (position > 0) this.#kinds[entry] = kindAfter(this.#kinds[entry]!, tokens[position] === token)
      this.#positions[entry] = this.#next
    }
  }

  #grow(length: number): void {
    const size = 2 ** Math.ceil(Math.log2(length * 4))
    this.#positions = new Int32Array(size)
    this.#kinds = new Uint8Array(size)
    this.#next = this.#length
  }

  /** Of the tokens before `end`. */
  #entryOf(tokens: readonly Token[], end: number, last = tokens[end - 1]!): number {
    let hash = last
    for (let at = end - this.#length; at < end - 1; at++) hash = Math.imul(hash ^ (tokens[at] ?? 0), 0x9e3779b1)
    return (hash ^ (hash >>> 15)) & (this.#positions.length - 1)
  }
}

/** Those that varied have to be followed by the same one twice. */
function kindAfter(kind: number, isSame: boolean): number {
  if (!isSame) return VARIED
  return kind === VARIED ? ONCE : SAME
}
