// Follows a copy from token to token. Where the reply departs from it, because a value or a name is another, the copy waits, and goes on
// after the next token that both have: what comes after a value is often the same, whatever the value is.

import type { Token } from '../../native/native.ts'

/** A token further on than this has nothing to do with the one where the reply departed. */
const REACH = 16
/** A single token that both have may be part of the value. */
const SURE = 2

export class Copy {
  /** Of the token that should come next. */
  #position = 0
  /** Where the reply departed from the copy. */
  #left = 0
  /** How many tokens were the same since. */
  #same = 0
  /** The first token of the reply that wasn't compared yet. */
  #next = Number.POSITIVE_INFINITY

  /** The place after `last`, which comes after `tokens`. While the reply is elsewhere, another token than `last` comes before that place. */
  follow(tokens: readonly Token[], last: Token): number {
    for (; this.#next <= tokens.length; this.#next++) this.#compare(tokens, tokens[this.#next] ?? last)
    return this.#position
  }

  /** The token that is about to be drawn has the index `next`. */
  goOn(position: number, next: number): void {
    if (position === this.#position) return
    this.#position = position
    this.#same = SURE
    this.#next = next
  }

  #compare(tokens: readonly Token[], token: Token): void {
    if (tokens[this.#position] === token) {
      this.#same++
      this.#position++
      return
    }
    if (this.#same >= SURE) this.#left = this.#position
    const found = this.#find(tokens, token)
    this.#same = found === undefined ? 0 : 1
    this.#position = found === undefined ? this.#left : found + 1
  }

  #find(tokens: readonly Token[], token: Token): number | undefined {
    const end = Math.min(this.#left + REACH, this.#next)
    for (let at = this.#left; at < end; at++) if (tokens[at] === token) return at
    return undefined
  }
}
