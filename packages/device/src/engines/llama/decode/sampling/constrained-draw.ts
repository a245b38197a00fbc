// Draws tokens that a grammar allows, each as often as its share of all that are allowed. To compare the whole vocabulary with the grammar
// takes longer than to compute the token. So tokens are proposed as often as they weigh, and only those are compared: one that fits is taken,
// and otherwise there is another proposal. As long as each proposal could have been any token that fits, these keep their exact shares.
//
// The first proposal is a free draw. Where few tokens fit, the next is one of those. Elsewhere it is one of the likeliest tokens, or all
// others together, with the most that they can weigh. Only in this case is one of them drawn, or all of them are compared in the end.

import type { Native, Token } from '../../native/native.ts'
import { findFitting, tokenOrderOf } from '../../native/token-order.ts'
import type { Constraint } from './constraint.ts'
import { countKept, drawIndex, drawWeighted, heatedWeight, isCut, withoutRounding, type Cuts } from './cut.ts'
import type { Draw } from './cut-draw.ts'
import { ListedTokens, type Candidate } from './listed-tokens.ts'
import type { Random } from './seeded-random.ts'
import { TailDraw, type Shape } from './tail-draw.ts'
import { TokenLists } from './token-lists.ts'

/** Up to here, all tokens that fit are found one by one. */
const FEW = { tokens: 32, comparisons: 1_024 }
/** Keeps the likeliest. */
const FIRST = { temperature: 0, topK: 1 }
/** How often one of the other tokens is drawn before all are compared. */
const MAX_TAIL_DRAWS = 8

export interface ConstrainedSettings extends Cuts {
  temperature: number
  /** Of the next token. */
  shape: () => Shape
  random: Random
}

/** The proposals that are left: listed tokens, and at the end the rest. */
interface Proposals {
  listed: ListedTokens
  weights: number[]
  fitting: 'maybe few' | 'many'
  /** Tokens of the rest that don't fit. */
  excluded: Token[]
  tailDraws: number
}

export class ConstrainedDraw implements Draw {
  readonly #native: Native
  readonly #constraint: Constraint
  readonly #settings: ConstrainedSettings
  /** Knows nothing of the grammar, and must not leave out any token. */
  readonly #free: Draw | undefined
  readonly #lists: TokenLists
  readonly #tail: TailDraw

  constructor(native: Native, constraint: Constraint, settings: ConstrainedSettings, free?: Draw) {
    this.#native = native
    this.#constraint = constraint
    this.#settings = settings
    this.#free = free
    this.#lists = new TokenLists(native)
    this.#tail = new TailDraw(native, settings.temperature)
  }

  async draw(at: number): Promise<Token> {
    const token = (await this.#drawFitting(at)) ?? -1
    const { grammar, state } = this.#constraint
    if (token !== -1 && !this.#native.vocabulary.isEnd(token)) grammar.accept(state, token)
    return token
  }

  dispose(): void {
    for (const part of [this.#free, this.#lists, this.#tail]) part?.dispose()
  }

  async #drawFitting(at: number): Promise<Token | undefined> {
    const shape = this.#settings.shape()
    if (this.#settings.temperature === 0) return this.#drawLikeliest(at, shape)
    if (this.#free === undefined) return this.#drawListed(at, shape, 'maybe few')
    const token = await this.#free.draw(at)
    if (token !== -1 && this.#fits(token)) return token
    const few = await this.#findFew(at, shape)
    return few === undefined ? this.#drawListed(at, shape, 'many') : this.#drawFrom(few)
  }

  async #drawListed(at: number, shape: Shape, fitting: Proposals['fitting']): Promise<Token | undefined> {
    const listed = await this.#list(at, shape)
    const weights = listed.candidates.map(({ logit }) => this.#weigh(listed, logit))
    const rest = heatedWeight(listed.rest, this.#settings.temperature)
    return this.#drawProposed(at, shape, { listed, weights: [...weights, rest], fitting, excluded: [], tailDraws: 0 })
  }

  async #drawLikeliest(at: number, shape: Shape): Promise<Token | undefined> {
    const listed = await this.#lists.likeliest(at, shape)
    const found = listed.find(({ token }) => this.#fits(token))
    if (found !== undefined) return found.token
    const [first] = (await this.#findFew(at, shape)) ?? (await this.#keep(at, shape, FIRST))
    return first?.token
  }

  async #list(at: number, shape: Shape): Promise<ListedTokens> {
    const [candidates, sum] = await Promise.all([this.#lists.likeliest(at, shape), this.#lists.weight(at, shape)])
    const { size } = this.#native.vocabulary
    const weights = candidates.map(({ logit }) => Math.exp(logit - candidates[0]!.logit))
    const weight = withoutRounding(sum, size) - weights.reduce((total, one) => total + one, 0)
    const count = size - candidates.length
    const rest = { count, weight: count > 0 ? Math.max(0, weight) : 0, heaviest: weights.at(-1) ?? 0 }
    return new ListedTokens(candidates, rest, this.#settings, (token) => this.#fits(token))
  }

  async #drawProposed(at: number, shape: Shape, proposals: Proposals): Promise<Token | undefined> {
    const { listed, weights } = proposals
    for (;;) {
      const index = drawWeighted(weights, this.#settings.random())
      const isKept = index === undefined ? undefined : listed.isKept(index)
      if (index !== undefined && isKept === true) return listed.candidates[index]!.token
      if (index !== undefined && isKept === false) weights[index] = 0
      else {
        const found = await this.#findKept(at, shape, proposals, index)
        if (found !== undefined) return this.#settle(found, proposals, index)
        const token = await this.#drawTail(at, shape, proposals)
        if (token !== undefined) return token
      }
    }
  }

  /** Undefined if it is faster to draw one of the rest, which was proposed. */
  async #findKept(
    at: number,
    shape: Shape,
    proposals: Proposals,
    index: number | undefined,
  ): Promise<Candidate[] | undefined> {
    const few = proposals.fitting === 'many' ? undefined : await this.#findFew(at, shape)
    if (few !== undefined) return few
    proposals.fitting = 'many'
    // Whether a token of the rest is cut depends on all others.
    const isDrawable = index === proposals.listed.candidates.length && !isCut(this.#settings)
    if (isDrawable && proposals.tailDraws++ < MAX_TAIL_DRAWS) return undefined
    return this.#keep(at, shape, this.#settings)
  }

  /** All tokens that fit and that are kept, after comparing every token with the grammar. */
  async #keep(at: number, shape: Shape, cuts: Cuts & { temperature: number }): Promise<Candidate[]> {
    const { grammar, state } = this.#constraint
    if (grammar.vetoes === undefined) return this.#lists.kept(at, this.#constraint, cuts, shape)
    // However unlikely a token is: the likelier ones may all have a veto.
    const all = await this.#lists.kept(at, this.#constraint, { temperature: Number.POSITIVE_INFINITY }, shape)
    return cut(
      all.filter(({ token }) => grammar.vetoes?.(state, token) === false),
      cuts,
    )
  }

  /** Draws one of the rest. Undefined if it doesn't fit, or if the proposal fell into what the rest could have weighed, but doesn't. */
  async #drawTail(at: number, shape: Shape, { listed, weights, excluded }: Proposals): Promise<Token | undefined> {
    const { random, temperature } = this.#settings
    const outside = [...listed.candidates.map(({ token }) => token), ...excluded]
    const { token, logWeight } = await this.#tail.draw(at, outside, shape, random() * 2 ** 32)
    const proposed = random() * weights.at(-1)!
    const weight = Math.exp(logWeight - listed.candidates[0]!.logit / temperature)
    weights[weights.length - 1] = weight
    const isFitting = this.#fits(token)
    if (!isFitting) excluded.push(token)
    return isFitting && proposed < weight ? token : undefined
  }

  /** Decides a proposal, now that all kept tokens are known. One that is not kept gives way to any of them. */
  #settle(kept: readonly Candidate[], { listed, weights }: Proposals, index: number | undefined): Token | undefined {
    const { random } = this.#settings
    const proposed = index === undefined ? undefined : listed.candidates[index]?.token
    if (kept.some(({ token }) => token === proposed)) return proposed
    if (index !== listed.candidates.length) return this.#drawFrom(kept)
    const tokens = new Set(listed.candidates.map(({ token }) => token))
    const rest = kept.filter(({ token }) => !tokens.has(token))
    const weight = rest.reduce((sum, { logit }) => sum + this.#weigh(listed, logit), 0)
    return this.#drawFrom(random() * weights.at(-1)! < weight ? rest : kept)
  }

  #drawFrom(candidates: readonly Candidate[]): Token | undefined {
    const { temperature, random } = this.#settings
    const logits = candidates.map(({ logit }) => logit)
    return candidates[drawIndex(logits, temperature, random())]?.token
  }

  /** Undefined if many fit. */
  async #findFew(at: number, shape: Shape): Promise<Candidate[] | undefined> {
    const tokens = findFitting(tokenOrderOf(this.#native.vocabulary), (token) => this.#fits(token), FEW)
    if (tokens === undefined) return undefined
    if (tokens.length === 0) return []
    const listed = (await this.#lists.some(at, tokens, shape)).filter(({ token }) => tokens.includes(token))
    return cut(listed, this.#settings)
  }

  #weigh({ candidates: [first] }: ListedTokens, logit: number): number {
    return Math.exp((logit - first!.logit) / this.#settings.temperature)
  }

  #fits(token: Token): boolean {
    return this.#constraint.grammar.allows(this.#constraint.state, token)
  }
}

/** `sorted` are all tokens that fit. */
function cut(sorted: readonly Candidate[], cuts: Cuts): Candidate[] {
  const logits = sorted.map(({ logit }) => logit)
  const sum = logits.reduce((total, logit) => total + Math.exp(logit - logits[0]!), 0)
  return sorted.slice(0, isCut(cuts) ? countKept(logits, cuts, sum) : undefined)
}
