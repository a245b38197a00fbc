// Finds what came next the last time that the same tokens were written: in an answer that quotes its prompt, edits a file or repeats keys,
// the same often comes next again.

import type { Token } from '../../native/native.ts'
import { Copy } from './copy.ts'
import { LastPlaces } from './last-places.ts'

export interface Foreseen {
  readonly tokens: readonly Token[]
  /** How many of the latest tokens are the same as those before the place where these were found. */
  readonly match: number
  /** Whether a copy has been going for a while, or was just found, or goes on after tokens that differed. */
  readonly how: 'going' | 'found' | 'resumed'
}

/** A longer match says no more. */
const MOST_MATCH = 32
/** Fewer tokens are often followed by something else, unless a copy goes on after them. */
const LEAST_MATCH = 3
/** The latest place after so many tokens is likelier the right one than the latest place after a few. */
const GOOD_MATCH = 8

const NOTHING: Foreseen = { tokens: [], match: 0, how: 'found' }

export class Past {
  readonly #tables = [new LastPlaces(GOOD_MATCH), new LastPlaces(LEAST_MATCH)]
  readonly #copy = new Copy()

  /**
   * Which tokens may follow `last`, which comes after `tokens`. Each call has all tokens of the call before, and more. If there are two places
   * to copy from, the one with more `worth` is taken.
   */
  foresee(tokens: readonly Token[], last: Token, most: number, worth: (foreseen: Foreseen) => number): Foreseen {
    const going = this.#copy.follow(tokens, last)
    const places = [going, ...this.#tables.map((table) => table.find(tokens, last))]
    const matches = places.map((place) => matchAt(tokens, last, place))
    const longest = Math.max(...matches)
    const found = longest < LEAST_MATCH ? 0 : places[matches.indexOf(longest)]!
    const candidates = [...new Set([going, found])].filter((place) => matches[places.indexOf(place)]! > 0)
    const foreseen = candidates.map((place): Foreseen => {
      const match = matches[places.indexOf(place)]!
      const how = place !== going ? 'found' : match < LEAST_MATCH ? 'resumed' : 'going'
      return { tokens: copyFrom(tokens, last, place, most), match, how }
    })
    const best = foreseen.length < 2 ? 0 : Number(worth(foreseen[1]!) > worth(foreseen[0]!))
    if (foreseen.length > 0) this.#copy.goOn(candidates[best]!, tokens.length + 1)
    return foreseen[best] ?? NOTHING
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
