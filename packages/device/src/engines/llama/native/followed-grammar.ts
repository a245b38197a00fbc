// A grammar that is followed beside the library, to know where few tokens fit. The library still decides about each token.

import { GrammarFollower, type Place } from '@hearth/json-schema-grammar'
import { advance, findAllFitting, findFitting, type Position } from './fitting-tokens.ts'
import { createTokenBytes, type TokenBytes } from './token-bytes.ts'
import { tokenOrderOf } from './token-order.ts'
import type { Token, Vocabulary } from './vocabulary.ts'

/** Looking at 20,000 frames takes a few milliseconds, once for each place of a grammar. */
const FEW = { tokens: 256, characters: 96, work: 20_000 }
/** Places whose tokens are kept. */
const KEPT_FEW = 512
/** Frames to look at for each token of the vocabulary, to find all that fit. */
const WORK_PER_TOKEN = 6
/** Each is as large as the vocabulary. */
const KEPT_MISFITS = 4

/** Undefined if the grammar is more than can be followed. */
export type FollowedPosition = Position | undefined

export class FollowedGrammar {
  readonly #vocabulary: Vocabulary
  readonly #bytes: TokenBytes
  readonly #follower: GrammarFollower
  readonly #few = new Map<Place, readonly Token[] | 'many'>()
  readonly #misfits = new Map<Place, Uint32Array>()

  constructor(grammar: string, vocabulary: Vocabulary) {
    this.#vocabulary = vocabulary
    this.#bytes = createTokenBytes(vocabulary)
    this.#follower = new GrammarFollower(grammar)
  }

  start(): FollowedPosition {
    const place = this.#follower.start()
    return place && { place, unfinished: undefined }
  }

  after(position: FollowedPosition, token: Token): FollowedPosition {
    if (position === undefined || this.#vocabulary.isEnd(token)) return position
    const next = advance(this.#follower, position, this.#bytes.raw(token))
    return typeof next === 'string' ? undefined : next
  }

  /** All tokens that fit; undefined if there are many, or if it isn't known. */
  few(position: FollowedPosition): readonly Token[] | undefined {
    if (position === undefined) return undefined
    const known = position.unfinished === undefined ? this.#few.get(position.place) : undefined
    const found = known ?? findFitting(tokenOrderOf(this.#vocabulary), this.#follower, position, FEW) ?? 'many'
    if (this.#few.size >= KEPT_FEW) this.#few.clear()
    if (position.unfinished === undefined) this.#few.set(position.place, found)
    return found === 'many' ? undefined : found
  }

  /** All tokens that don't fit; undefined if there is too much to do to find them. That depends on nothing that was asked before. */
  misfits(position: FollowedPosition): Uint32Array | undefined {
    if (position === undefined) return undefined
    const isBetween = position.unfinished === undefined
    const known = isBetween ? this.#misfits.get(position.place) : undefined
    const found = known ?? this.#findMisfits(position)
    if (isBetween && found !== undefined) this.#keep(position.place, found)
    return found
  }

  #findMisfits({ place, unfinished }: Position): Uint32Array | undefined {
    const { size } = this.#vocabulary
    const order = tokenOrderOf(this.#vocabulary)
    // With what other replies have found, there would be less to do: the same seed would draw another token.
    const alone = new GrammarFollower(this.#follower)
    const from = { place: { ...place, targets: [] }, unfinished }
    const fitting = findAllFitting(order, alone, from, WORK_PER_TOKEN * size)
    if (fitting === undefined) return undefined
    const isFitting = new Uint8Array(size)
    for (const token of fitting) isFitting[token] = 1
    return Uint32Array.from({ length: size }, (_, token) => token).filter((token) => isFitting[token] === 0)
  }

  #keep(place: Place, misfits: Uint32Array): void {
    this.#misfits.delete(place)
    this.#misfits.set(place, misfits)
    const [oldest] = this.#misfits.keys()
    if (this.#misfits.size > KEPT_MISFITS && oldest !== undefined) this.#misfits.delete(oldest)
  }
}
