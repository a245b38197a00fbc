// A grammar that is followed beside the library, to know where few tokens fit. The library still decides about each token.

import { GrammarFollower, type Place } from '@hearth/json-schema-grammar'
import { advance, findFitting, type Position } from './fitting-tokens.ts'
import { createTokenBytes, type TokenBytes } from './token-bytes.ts'
import { tokenOrderOf } from './token-order.ts'
import type { Token, Vocabulary } from './vocabulary.ts'

/** Looking at 10,000 frames takes a few milliseconds, once for each place of a grammar. */
const FEW = { tokens: 128, characters: 96, work: 10_000 }

/** Undefined if the grammar is more than can be followed. */
export type Followed = Position | undefined

export class FollowedGrammar {
  readonly #vocabulary: Vocabulary
  readonly #bytes: TokenBytes
  readonly #follower: GrammarFollower
  readonly #few = new WeakMap<Place, readonly Token[] | 'many'>()

  constructor(grammar: string, vocabulary: Vocabulary) {
    this.#vocabulary = vocabulary
    this.#bytes = createTokenBytes(vocabulary)
    this.#follower = new GrammarFollower(grammar)
  }

  start(): Followed {
    const place = this.#follower.start()
    return place && { place, unfinished: undefined }
  }

  after(position: Followed, token: Token): Followed {
    if (position === undefined || this.#vocabulary.isEnd(token)) return position
    const next = advance(this.#follower, position, this.#bytes.raw(token))
    return typeof next === 'string' ? undefined : next
  }

  /** All tokens that fit; undefined if there are many, or if it isn't known. */
  few(position: Followed): readonly Token[] | undefined {
    if (position === undefined) return undefined
    const known = position.unfinished === undefined ? this.#few.get(position.place) : undefined
    const found = known ?? findFitting(tokenOrderOf(this.#vocabulary), this.#follower, position, FEW) ?? 'many'
    if (position.unfinished === undefined) this.#few.set(position.place, found)
    return found === 'many' ? undefined : found
  }
}
