// The drafts of one stream: the tokens that the draft model has written for its next step, and how far they came true.

import type { Token } from '../../native/native.ts'
import { ConfidenceOdds } from './confidence-odds.ts'
import { Acceptance } from './acceptance.ts'

export interface Draft {
  readonly token: Token
  /** The probability that the draft model gives it. */
  readonly confidence: number
}

export class StreamDrafts {
  readonly #odds = new ConfidenceOdds()
  #acceptance: Acceptance | undefined
  #drafts: Draft[] = []
  /** The probability that all drafts are right. */
  #chance = 1
  /** Whether all tokens that were drawn since were drafted. */
  #isRight = true

  get count(): number {
    return this.#drafts.length
  }

  get chance(): number {
    return this.#chance
  }

  /** How often its drafts are right. A stream without any is like all others. */
  average(all: Acceptance): number {
    this.#acceptance ??= new Acceptance(all)
    return this.#acceptance.average
  }

  clear(): void {
    this.#drafts = []
    this.#chance = 1
    this.#isRight = true
  }

  add(draft: Draft): void {
    this.#drafts.push(draft)
    this.#chance *= this.#odds.of(draft.confidence)
  }

  /** That each draft is right if those before it are. */
  get odds(): number[] {
    return this.#drafts.map(({ confidence }) => this.#odds.of(confidence))
  }

  /** Those to evaluate. */
  take(count: number): readonly Token[] {
    return this.#drafts.slice(0, count).map(({ token }) => token)
  }

  /** `index` tokens were drawn since. A draft is compared only if all before it were right; one that wasn't evaluated counts as well. */
  onDrawn(index: number, token: Token): void {
    const draft = this.#drafts[index]
    if (!this.#isRight || draft === undefined) return
    this.#isRight = draft.token === token
    this.#odds.learn(draft.confidence, this.#isRight)
    this.#acceptance?.learn(this.#isRight)
  }
}
