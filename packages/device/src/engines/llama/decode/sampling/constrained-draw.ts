// Draws tokens that a grammar allows, each as often as its share of all that are allowed. To compare the whole vocabulary with the grammar
// takes longer than to compute the token. So tokens are proposed as often as they weigh, and only those are compared: one that fits is taken,
// and otherwise there is another proposal. As long as each proposal could have been any token that fits, these keep their exact shares.
//
// Where few tokens fit, the grammar lists them, and only their logits are read; a single one needs none. Elsewhere, the first proposal is a
// free draw. The next is one of the likeliest tokens, or all others together, with the most that they can weigh. Only in this case is one of
// them drawn, or all of them are compared in the end.

import type { Native, Token } from '../../native/native.ts'
import type { Constraint } from './constraint.ts'
import {
  countKept,
  drawIndex,
  drawWeighted,
  heatedWeight,
  isCut,
  withoutRounding,
  type Cuts,
  type Rest,
} from './cut.ts'
import type { Draw } from './cut-draw.ts'
import { ListedTokens, type Candidate } from './listed-tokens.ts'
import type { Random } from './seeded-random.ts'
import { TailDraw, type Shape } from './tail-draw.ts'
import { TokenLists } from './token-lists.ts'
import { WorkLimit } from './work-limit.ts'

/** Keeps the likeliest. */
const FIRST = { temperature: 0, topK: 1 }
const NOTHING: Rest = { count: 0, weight: 0, heaviest: 0 }
/** How often one of the other tokens is drawn before all are compared. */
const MAX_TAIL_DRAWS = 8

export interface ConstrainedSettings extends Cuts {
  temperature: number
  /** Of the next token. */
  shape: () => Shape
  random: Random
  limit?: WorkLimit
}

/** The proposals that are left: listed tokens, and at the end the rest. */
interface Proposals {
  listed: ListedTokens
  weights: number[]
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
  readonly #limit: WorkLimit

  constructor(native: Native, constraint: Constraint, settings: ConstrainedSettings, free?: Draw) {
    this.#native = native
    this.#constraint = constraint
    this.#settings = settings
    this.#free = free
    this.#lists = new TokenLists(native)
    this.#tail = new TailDraw(native, settings.temperature)
    this.#limit = settings.limit ?? new WorkLimit()
  }

  async draw(at: number): Promise<Token> {
    const token = (await this.#drawFitting(at)) ?? -1
    const { grammar, state } = this.#constraint
    if (token !== -1 && !this.#native.vocabulary.isEnd(token)) this.#limit.call(() => grammar.accept(state, token))
    return token
  }

  dispose(): void {
    for (const part of [this.#free, this.#lists, this.#tail]) part?.dispose()
  }

  async #drawFitting(at: number): Promise<Token | undefined> {
    const shape = this.#settings.shape()
    const few = this.#constraint.grammar.few(this.#constraint.state)
    if (few !== undefined && few.length > 0) return this.#drawFew(at, few, shape)
    if (this.#settings.temperature === 0) return this.#drawLikeliest(at, await this.#lists.likeliest(at, shape), shape)
    if (this.#free === undefined) return this.#drawCut(at, await this.#list(at, shape), shape)
    const token = await this.#free.draw(at)
    return token !== -1 && this.#fits(token) ? token : this.#propose(at, await this.#list(at, shape), shape)
  }

  async #drawFew(at: number, few: readonly Token[], shape: Shape): Promise<Token | undefined> {
    const [only = -1, ...others] = few
    if (others.length === 0 && !isBanned(only, shape) && this.#fits(only)) return only
    const candidates = await this.#lists.few(at, few, shape)
    // All of them are banned.
    if (candidates.length === 0) return undefined
    if (this.#settings.temperature === 0) return this.#drawLikeliest(at, candidates, shape)
    return this.#propose(at, this.#listed(candidates, NOTHING), shape)
  }

  async #drawCut(at: number, listed: ListedTokens, shape: Shape): Promise<Token | undefined> {
    const misfits = this.#isFlat(listed) ? this.#misfits() : undefined
    return (misfits && (await this.#drawBeside(at, misfits, shape))) ?? this.#propose(at, listed, shape)
  }

  /** Undefined if the token doesn't fit after all. */
  async #drawBeside(at: number, misfits: Uint32Array, shape: Shape): Promise<Token | undefined> {
    const token = await this.#lists.draw(at, misfits, this.#settings, shape, this.#settings.random() * 2 ** 32)
    return token !== -1 && this.#fits(token) ? token : undefined
  }

  /** Whether most proposals would depend on tokens that are not listed. Must not depend on random numbers. */
  #isFlat({ candidates, weight, rest }: ListedTokens): boolean {
    const { topK = Number.POSITIVE_INFINITY, minP = 0 } = this.#settings
    return isCut(this.#settings) && topK > candidates.length && rest.heaviest >= minP && rest.weight > weight
  }

  #misfits(): Uint32Array | undefined {
    return this.#constraint.grammar.misfits(this.#constraint.state)
  }

  async #propose(at: number, listed: ListedTokens, shape: Shape): Promise<Token | undefined> {
    const weights = listed.candidates.map(({ logit }) => this.#weigh(listed, logit))
    const rest = heatedWeight(listed.rest, this.#settings.temperature)
    return this.#drawProposed(at, shape, { listed, weights: [...weights, rest], excluded: [], tailDraws: 0 })
  }

  async #drawLikeliest(at: number, listed: readonly Candidate[], shape: Shape): Promise<Token | undefined> {
    const found = listed.find(({ token }) => this.#fits(token))
    if (found !== undefined) return found.token
    const [first] = await this.#keep(at, shape, FIRST)
    return first?.token
  }

  async #list(at: number, shape: Shape): Promise<ListedTokens> {
    const [candidates, sum] = await Promise.all([this.#lists.likeliest(at, shape), this.#lists.weight(at, shape)])
    const { size } = this.#native.vocabulary
    const weights = candidates.map(({ logit }) => Math.exp(logit - candidates[0]!.logit))
    const weight = withoutRounding(sum, size) - weights.reduce((total, one) => total + one, 0)
    const count = size - candidates.length
    const rest = { count, weight: count > 0 ? Math.max(0, weight) : 0, heaviest: weights.at(-1) ?? 0 }
    return this.#listed(candidates, rest)
  }

  #listed(candidates: readonly Candidate[], rest: Rest): ListedTokens {
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
    // Whether a token of the rest is cut depends on all others.
    const isDrawable = index === proposals.listed.candidates.length && !isCut(this.#settings)
    if (isDrawable && proposals.tailDraws++ < MAX_TAIL_DRAWS) return undefined
    return this.#keep(at, shape, this.#settings)
  }

  /** All tokens that fit and that are kept, after comparing every token with the grammar. */
  async #keep(at: number, shape: Shape, cuts: Cuts & { temperature: number }): Promise<Candidate[]> {
    const { grammar, state } = this.#constraint
    // However unlikely a token is: the likelier ones may all have a veto.
    const kept = grammar.vetoes === undefined ? cuts : { temperature: Number.POSITIVE_INFINITY }
    const all = await this.#limit.wait(() => this.#lists.kept(at, this.#constraint, kept, shape))
    if (grammar.vetoes === undefined) return all
    const fitting = this.#limit.call(() => all.filter(({ token }) => grammar.vetoes?.(state, token) === false))
    return cut(fitting, cuts)
  }

  /** Draws one of the rest. Undefined if it doesn't fit, or if the proposal fell into what the rest could have weighed, but doesn't. */
  async #drawTail(at: number, shape: Shape, { listed, weights, excluded }: Proposals): Promise<Token | undefined> {
    const { random, temperature } = this.#settings
    const outside = [...listed.candidates.map(({ token }) => token), ...excluded]
    const { token, logWeight } = await this.#tail.draw(at, outside, shape, random() * 2 ** 32)
    const proposed = random() * weights.at(-1)!
    const weight = Math.exp(logWeight - listed.candidates[0]!.logit / temperature)
    weights[weights.length - 1] = weight
    if (this.#fits(token)) return proposed < weight ? token : undefined
    excluded.push(token)
    // So far, each token that fits had its chance. A new draw that ignores all that came before gives each the same again.
    const misfits = this.#misfits()
    return misfits && this.#drawBeside(at, misfits, shape)
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

  #weigh({ candidates: [first] }: ListedTokens, logit: number): number {
    return Math.exp((logit - first!.logit) / this.#settings.temperature)
  }

  #fits(token: Token): boolean {
    return this.#constraint.grammar.allows(this.#constraint.state, token)
  }
}

function isBanned(token: Token, { tokenBiasKeys, tokenBiasValues }: Shape): boolean {
  const index = tokenBiasKeys?.indexOf(token) ?? -1
  return tokenBiasValues?.[index] === Number.NEGATIVE_INFINITY
}

/** `sorted` are all tokens that fit. */
function cut(sorted: readonly Candidate[], cuts: Cuts): Candidate[] {
  const logits = sorted.map(({ logit }) => logit)
  const sum = logits.reduce((total, logit) => total + Math.exp(logit - logits[0]!), 0)
  return sorted.slice(0, isCut(cuts) ? countKept(logits, cuts, sum) : undefined)
}
