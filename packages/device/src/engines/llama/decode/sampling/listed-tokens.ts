// The likeliest tokens, of which it isn't known yet whether they fit: finding out is expensive. Which tokens `top_k`, `top_p` and `min_p`
// keep depends on all tokens that fit. But those that were compared so far give bounds, which mostly say enough about a single token.

import type { Token } from '../../native/native.ts'
import { isCut, type Cuts, type Rest } from './cut.ts'

export interface Candidate {
  token: Token
  logit: number
}

/** Undefined until it was compared. */
type Verdict = boolean | undefined

interface Sum {
  count: number
  weight: number
}

export class ListedTokens {
  /** The likeliest comes first. */
  readonly candidates: readonly Candidate[]
  /** Of all of them, next to the likeliest. */
  readonly weight: number
  rest: Rest
  readonly #cuts: Required<Cuts>
  readonly #isCut: boolean
  readonly #fits: (token: Token) => boolean
  readonly #weights: readonly number[]
  readonly #verdicts: Verdict[]

  /** All of them fit if there is nothing to ask. */
  constructor(candidates: readonly Candidate[], rest: Rest, cuts: Cuts, fits?: (token: Token) => boolean) {
    const { topK = Number.POSITIVE_INFINITY, topP = 1, minP = 0 } = cuts
    this.candidates = candidates
    this.rest = rest
    this.#cuts = { topK, topP, minP }
    this.#isCut = isCut(cuts)
    this.#fits = fits ?? (() => true)
    this.#weights = candidates.map(({ logit }) => Math.exp(logit - candidates[0]!.logit))
    this.weight = this.#weights.reduce((sum, weight) => sum + weight, 0)
    this.#verdicts = candidates.map(() => (fits === undefined ? true : undefined))
  }

  /** Undefined if it depends on tokens that are not listed. The index behind the last stands for all of those. */
  isKept(index: number): boolean | undefined {
    const isListed = index < this.candidates.length
    if (isListed && !this.#compare(index)) return false
    if (!this.#isCut) return isListed ? true : undefined
    for (let next = 0; ; next++) {
      const verdict = this.#judge(index, isListed)
      next = this.#verdicts.indexOf(undefined, next)
      if (verdict !== undefined || next === -1) return verdict
      this.#compare(next)
    }
  }

  #compare(index: number): boolean {
    return (this.#verdicts[index] ??= this.#fits(this.candidates[index]!.token))
  }

  /** Undefined if the bounds don't say. */
  #judge(index: number, isListed: boolean): boolean | undefined {
    const { topK, topP, minP } = this.#cuts
    const [least, most] = [this.#sum(index, isSure), this.#sum(index, isPossible)]
    const weight = isListed ? this.#weights[index]! : this.rest.heaviest
    if (least.count >= topK || weight < minP * this.#heaviest(isSure)) return false
    if (topP < 1 && least.count > 0 && least.weight >= topP * this.#mostWeight()) return false
    if (!isListed || most.count >= topK || weight < minP * this.#heaviest(isPossible)) return undefined
    const isShared = topP === 1 || most.count === 0 || most.weight < topP * this.#sum(this.#end, isSure, topK).weight
    return isShared ? true : undefined
  }

  get #end(): number {
    return this.candidates.length
  }

  /** No more than this belongs to the tokens whose share `top_p` means. */
  #mostWeight(): number {
    const { count, weight } = this.#sum(this.#end, isPossible, this.#cuts.topK)
    return count < this.#cuts.topK ? weight + this.rest.weight : weight
  }

  #heaviest(isCounted: (verdict: Verdict) => boolean): number {
    return this.#weights[this.#verdicts.findIndex(isCounted)] ?? 0
  }

  #sum(end: number, isCounted: (verdict: Verdict) => boolean, most = Number.POSITIVE_INFINITY): Sum {
    const sum = { count: 0, weight: 0 }
    for (let index = 0; index < end && sum.count < most; index++) {
      if (!isCounted(this.#verdicts[index])) continue
      sum.count++
      sum.weight += this.#weights[index]!
    }
    return sum
  }
}

function isSure(verdict: Verdict): boolean {
  return verdict === true
}

function isPossible(verdict: Verdict): boolean {
  return verdict !== false
}
