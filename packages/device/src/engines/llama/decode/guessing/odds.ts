// How often guesses turn out right, by what they are based on. What was seen of the stream itself counts most, so a stream that repeats
// nothing soon makes no more guesses. A new stream begins with what was seen of all others.

import type { Followed } from './last-positions.ts'
import type { Foreseen } from './past.ts'

/** A guess is forced by a grammar, or it followed so many tokens before. */
export type Basis = 'forced' | { how: Foreseen['how']; match: number; followed: Followed }

/** What is expected at first: by the length of the match, up to 4, 8, 16 and more. */
const FIRST: Readonly<Record<Followed, readonly number[]>> = {
  varied: [0.1, 0.2, 0.3, 0.4],
  once: [0.3, 0.5, 0.7, 0.8],
  same: [0.5, 0.7, 0.8, 0.9],
}
/** Where a copy goes on after tokens that differed. */
const FIRST_RESUMED = { varied: 0.2, once: 0.4, same: 0.7 }
const FIRST_FORCED = 0.9
/** Weight of the newest guess in the average of its stream, and in that of all streams. */
const NEWEST = { ofStream: 0.15, ofAll: 0.02 }

export class Odds {
  readonly #odds: Map<string, number>
  readonly #all: Odds | undefined

  constructor(all?: Odds) {
    this.#all = all
    this.#odds = new Map(all === undefined ? [] : all.#odds)
  }

  of(basis: Basis): number {
    return this.#odds.get(nameOf(basis)) ?? firstOf(basis)
  }

  /** Guesses that weren't evaluated count as well. */
  learn(basis: Basis, isRight: boolean): void {
    const weight = this.#all === undefined ? NEWEST.ofAll : NEWEST.ofStream
    const before = this.of(basis)
    this.#odds.set(nameOf(basis), before + ((isRight ? 1 : 0) - before) * weight)
    this.#all?.learn(basis, isRight)
  }
}

function firstOf(basis: Basis): number {
  if (basis === 'forced') return FIRST_FORCED
  return basis.how === 'resumed' ? FIRST_RESUMED[basis.followed] : FIRST[basis.followed][classOf(basis.match)]!
}

function nameOf(basis: Basis): string {
  return basis === 'forced' ? basis : `${basis.how} ${basis.followed} ${classOf(basis.match)}`
}

function classOf(match: number): number {
  return match <= 4 ? 0 : match <= 8 ? 1 : match <= 16 ? 2 : 3
}
