// Finds what came next the last time that the same tokens were written: in an answer that quotes its prompt, edits a file or repeats keys,
// the same often comes next again.

import type { Token } from '../../native/native.ts'
import { LastPositions, type Followed } from './last-positions.ts'
import { Copy } from './copy.ts'

export interface Foreseen {
  readonly tokens: readonly Token[]
  /** How many of the latest tokens are the same as those before the place where these were found. */
  readonly match: number
  /** How the tokens before each of these were followed so far. */
  readonly followed: readonly Followed[]
  /** Whether a copy has been going for a while, or was just found, or goes on after tokens that differed. */
  readonly how: 'going' | 'found' | 'resumed'
}

/** The place of the next token, and how many tokens before it are the same as the latest ones. */
interface Source {
  readonly position: number
  readonly match: number
}

/** A longer match says no more. */
const MOST_MATCH = 32
/** Fewer tokens are often followed by something else, unless a copy goes on after them. */
const LEAST_MATCH = 3
/** The latest place after so many tokens is likelier the right one than the latest place after a few. */
const GOOD_MATCH = 8
/** After so many tokens, it doesn't matter any more how a copy began. The first ones of a copy that goes on have only the last token before them. */
export const BEGINNING = { going: 0, found: 3, resumed: 2 }

const NOTHING: Foreseen = { tokens: [], match: 0, followed: [], how: 'found' }

export class Past {
  readonly #good = new LastPositions(GOOD_MATCH)
  readonly #least = new LastPositions(LEAST_MATCH)
  readonly #single = new LastPositions(1)
  readonly #copy = new Copy()

  /**
   * Which tokens may follow `last`, which comes after `tokens`. Each call has all tokens of the call before, and more. If a copy is going, and
   * there is another place that fits better, the one with more `worth` is taken.
   */
  foresee(tokens: readonly Token[], last: Token, most: number, worth: (foreseen: Foreseen) => number): Foreseen {
    const [going, ...found] = [
      this.#copy.follow(tokens, last),
      this.#good.find(tokens, last),
      this.#least.find(tokens, last),
    ].map((position) => ({ position, match: matchAt(tokens, last, position) })) as [Source, Source, Source]
    const other = found.toSorted((a, b) => b.match - a.match)[0]!
    const sources = other.match >= Math.max(LEAST_MATCH, going.match + 1) ? [going, other] : [going]
    const candidates = sources.filter(({ match }) => match > 0)
    const foreseen = candidates.map((source) => this.#look(tokens, last, source, most, source === going))
    const best = foreseen.length > 1 && worth(foreseen[1]!) > worth(foreseen[0]!) ? 1 : 0
    if (foreseen.length > 0) this.#copy.goOn(candidates[best]!.position, tokens.length + 1)
    return foreseen[best] ?? NOTHING
  }

  #look(tokens: readonly Token[], last: Token, { position, match }: Source, most: number, isGoing: boolean): Foreseen {
    const copied = copyFrom(tokens, last, position, most)
    const followed = this.#least.followed(tokens, last, copied)
    if (match >= LEAST_MATCH) return { tokens: copied, match, followed, how: isGoing ? 'going' : 'found' }
    const first = this.#single.followed(tokens, last, copied.slice(0, BEGINNING.resumed))
    return { tokens: copied, match, followed: [...first, ...followed.slice(first.length)], how: 'resumed' }
  }
}

/** How many tokens before `place` are the same as the latest ones. */
function matchAt(tokens: readonly Token[], last: Token, position: number): number {
  if (position <= 0 || position > tokens.length || tokens[position - 1] !== last) return 0
  const most = Math.min(MOST_MATCH, position)
  let match = 1
  while (match < most && tokens[position - 1 - match] === tokens[tokens.length - match]) match++
  return match
}

/** A copy that reaches the latest tokens goes on with itself. */
function copyFrom(tokens: readonly Token[], last: Token, position: number, most: number): Token[] {
  const copy: Token[] = []
  const known = tokens.length + 1
  for (let at = position; at < position + most; at++)
    copy.push(at < tokens.length ? tokens[at]! : at === tokens.length ? last : copy[at - known]!)
  return copy
}
