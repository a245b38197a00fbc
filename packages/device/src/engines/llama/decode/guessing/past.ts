// Finds what came next the last time that the same tokens were written: in an answer that quotes its prompt, edits a file or repeats keys,
// the same often comes next again.

import type { Token } from '../../native/native.ts'
import { LastPlaces, type Followed } from './last-places.ts'

export interface Foreseen {
  readonly tokens: readonly Token[]
  /** How many of the latest tokens are the same as those before the place where these were found. */
  readonly match: number
  /** How the tokens before each of these were followed so far. */
  readonly followed: readonly Followed[]
}

/** A longer match says no more. */
const MOST_MATCH = 32
/** Fewer tokens are often followed by something else. */
const LEAST_MATCH = 3
/** The latest place after so many tokens is likelier the right one than the latest place after a few. */
const GOOD_MATCH = 8

const NOTHING: Foreseen = { tokens: [], match: 0, followed: [] }

export class Past {
  readonly #good = new LastPlaces(GOOD_MATCH)
  readonly #least = new LastPlaces(LEAST_MATCH)
  /** The place of the token that was foreseen last, and how many tokens there were then. */
  #copied = { place: 0, at: 0 }

  /** Which tokens may follow `last`, which comes after `tokens`. Each call has all tokens of the call before, and more. */
  foresee(tokens: readonly Token[], last: Token, most: number): Foreseen {
    const going = this.#copied.place + tokens.length - this.#copied.at
    const places = [going, this.#good.find(tokens, last), this.#least.find(tokens, last)]
    const matches = places.map((place) => matchAt(tokens, last, place))
    const match = Math.max(...matches)
    if (match < LEAST_MATCH) return NOTHING
    const place = places[matches.indexOf(match)]!
    this.#copied = { place, at: tokens.length }
    const copied = copyFrom(tokens, last, place, most)
    return { tokens: copied, match, followed: this.#least.followed(tokens, last, copied) }
  }
}

/** How many tokens before `place` are the same as the latest ones. */
function matchAt(tokens: readonly Token[], last: Token, place: number): number {
  if (place <= 0 || place > tokens.length || tokens[place - 1] !== last) return 0
  const most = Math.min(MOST_MATCH, place)
  let match = 1
  while (match < most && tokens[place - 1 - match] === tokens[tokens.length - match]) match++
  return match
}

/** A copy that reaches the latest tokens goes on with itself. */
function copyFrom(tokens: readonly Token[], last: Token, place: number, most: number): Token[] {
  const copy: Token[] = []
  const known = tokens.length + 1
  for (let at = place; at < place + most; at++)
    copy.push(at < tokens.length ? tokens[at]! : at === tokens.length ? last : copy[at - known]!)
  return copy
}
