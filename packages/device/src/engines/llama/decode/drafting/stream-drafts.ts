// The drafts of one stream: the tokens that the draft model has written for its next step, and how far they came true.

import type { Token } from '../../native/native.ts'
import { ConfidenceOdds } from './confidence-odds.ts'
import type { CommonWorth, Worth } from './worth.ts'

/** Weight of the newest draft in an average. */
const NEWEST = 0.1
const FIRST_AVERAGE = 0.5

export interface Draft {
  readonly token: Token
  /** The probability that the draft model gives it. */
  readonly confidence: number
}

export class StreamDrafts {
  /** The time that the drafts took. */
  spentMs = 0
  readonly #odds = new ConfidenceOdds()
  #worth: Worth | undefined
  #average = FIRST_AVERAGE
  #drafts: Draft[] = []
  /** The probability that all drafts are right. */
  #chance = 1
  #taken = 0
  #kept = 0
  #isOpen = false

  /** How often the first draft of a step is right. */
  get average(): number {
    return this.#average
  }

  get count(): number {
    return this.#drafts.length
  }

  get chance(): number {
    return this.#chance
  }

  /** Of the last step: how many drafts were evaluated, and how many of them were drawn. */
  get outcome(): { taken: number; kept: number } {
    return { taken: this.#taken, kept: this.#kept }
  }

  worth(common: CommonWorth): Worth {
    this.#worth ??= common.begin()
    return this.#worth
  }

  clear(): void {
    this.spentMs = 0
    this.#drafts = []
    this.#chance = 1
    this.#taken = 0
    this.#kept = 0
    this.#isOpen = true
  }

  add(draft: Draft): void {
    this.#drafts.push(draft)
    this.#chance *= this.#odds.of(draft.confidence)
  }

  /** That the draft is right if those before it are. */
  oddsOf(index: number): number {
    return this.#odds.of(this.#drafts[index]?.confidence ?? 0)
  }

  /** Those to evaluate. */
  take(count: number): readonly Token[] {
    this.#taken = Math.min(count, this.#drafts.length)
    return this.#drafts.slice(0, count).map(({ token }) => token)
  }

  /** `index` tokens were drawn since. A token is compared only if all before it were right; one that wasn't evaluated counts as well. */
  onDrawn(index: number, token: Token): void {
    const draft = this.#drafts[index]
    if (!this.#isOpen || draft === undefined) return
    const isRight = draft.token === token
    this.#isOpen = isRight
    this.#odds.learn(draft.confidence, isRight)
    if (index === 0) this.#average += ((isRight ? 1 : 0) - this.#average) * NEWEST
    if (isRight && index < this.#taken) this.#kept++
  }
}
