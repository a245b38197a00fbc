// Where so many tokens in a row were last seen. Different tokens may share an entry: whoever asks compares them.

import type { Token } from '../../native/native.ts'
import { entryOf, SMALLEST_TABLE, tableSize } from './token-rows.ts'

export class LastPlaces {
  readonly #length: number
  /** By a hash of the tokens: the place after them, or 0. */
  #table = new Int32Array(SMALLEST_TABLE)
  /** All places before this one are in the table. */
  #next: number

  constructor(length: number) {
    this.#length = length
    this.#next = length
  }

  /** The place after the last tokens in a row, of which the final one comes after `tokens`. 0 if there is none. */
  find(tokens: readonly Token[], last: Token): number {
    this.#add(tokens)
    return this.#table[this.#entryOf(tokens, tokens.length - this.#length + 1, last)]!
  }

  #add(tokens: readonly Token[]): void {
    if (tokens.length * 2 > this.#table.length) {
      this.#table = new Int32Array(tableSize(tokens.length))
      this.#next = this.#length
    }
    for (; this.#next <= tokens.length; this.#next++)
      this.#table[this.#entryOf(tokens, this.#next - this.#length, tokens[this.#next - 1]!)] = this.#next
  }

  #entryOf(tokens: readonly Token[], from: number, last: Token): number {
    return entryOf(this.#table.length, tokens, from, this.#length, last)
  }
}
