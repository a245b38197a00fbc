// Draws tokens, each as often as its share of all that may be drawn: those that top_k, top_p and min_p keep, and that a grammar allows. To
// sort the whole vocabulary, or to compare it with a grammar, takes longer than to compute the token. So tokens are proposed as often as they
// weigh, and only those are judged: one that may be drawn is taken, and otherwise there is another proposal. As long as each proposal could
// have been any token that may be drawn, these keep their exact shares.
//
// Proposals are the likeliest tokens, or all others together, with the most that they can weigh. Only in this case are they weighed, and one
// of them is drawn, or all are judged in the end. Where nothing is cut and too many tokens are likely for that, the first proposal is a draw
// from a large part of the vocabulary (see cut-draw.ts). Where few tokens fit a grammar, it lists them, and only their logits are read; a
// single one needs none.

import type { Native, Token } from '../../native/native.ts'
import type { Constraint } from './constraint.ts'
import {
  MAX_TAIL,
  drawIndex,
  drawWeighted,
  heatedWeight,
  isCut,
  keepLikeliest,
  withoutRounding,
  type Cuts,
  type Rest,
} from './cut.ts'
import type { Draw } from './cut-draw.ts'
import { ListedTokens, type Candidate } from './listed-tokens.ts'
import { Peaks } from './peaks.ts'
import type { Random } from './seeded-random.ts'
import type { Shape } from './shaped-sampler.ts'
import { TailDraw } from './tail-draw.ts'
import { LIKELY, TokenLists } from './token-lists.ts'
import { WorkLimit } from './work-limit.ts'

/** Places that are worth preparing at the same time. */
export const PLACES_AHEAD = 3
/** Keeps the likeliest. */
const FIRST = { temperature: 0, topK: 1 }
const NOTHING: Rest = { count: 0, weight: 0, heaviest: 0 }
/** How often one of the other tokens is drawn before all are compared. */
const MAX_TAIL_DRAWS = 8

export interface DrawSettings extends Cuts {
  temperature: number
  /** Of the next token: another object whenever it has changed. */
  shape: () => Shape
  random: Random
  limit?: WorkLimit
}

/** The proposals that are left: listed tokens, and at the end the rest. */
interface Proposals {
  listed: ListedTokens
  weights: number[]
  isRestWeighed: boolean
  /** Tokens of the rest that don't fit. */
  excluded: Token[]
  tailDraws: number
}

export class ProposedDraw implements Draw {
  readonly #native: Native
  readonly #settings: DrawSettings
  readonly #constraint: Constraint | undefined
  /** Knows nothing of the grammar, and leaves out no token. Undefined if some are cut, or at temperature 0. */
  readonly #flat: Draw | undefined
  readonly #peaks = new Peaks()
  readonly #lists: TokenLists
  readonly #tail: TailDraw
  readonly #limit: WorkLimit

  constructor(native: Native, settings: DrawSettings, constraint?: Constraint, flat?: Draw) {
    this.#native = native
    this.#settings = settings
    this.#constraint = constraint
    this.#flat = flat
    this.#lists = new TokenLists(native)
    this.#tail = new TailDraw(native, settings.temperature)
    this.#limit = settings.limit ?? new WorkLimit()
  }

  /** `at` is likely drawn from soon, in the same shape. What doesn't depend on earlier draws can begin. */
  prepare(at: number): void {
    const isListed = this.#flat === undefined || this.#peaks.isLikely
    if (isListed && this.#settings.temperature > 0 && this.#constraint === undefined)
      this.#lists.prepare(at, this.#settings.shape())
  }

  /** Resolves when nothing that was prepared is still being read. Undefined if there is nothing. */
  settle(): Promise<void> | undefined {
    return this.#lists.settle()
  }

  async draw(at: number): Promise<Token> {
    const token = (await this.#drawFitting(at)) ?? -1
    if (this.#constraint === undefined) return token
    const { grammar, state } = this.#constraint
    if (token !== -1 && !this.#native.vocabulary.isEnd(token)) this.#limit.call(() => grammar.accept(state, token))
    return token
  }

  dispose(): void {
    for (const part of [this.#flat, this.#lists, this.#tail]) part?.dispose()
  }

  async #drawFitting(at: number): Promise<Token | undefined> {
    const shape = this.#settings.shape()
    const few = this.#constraint?.grammar.few(this.#constraint.state)
    if (few !== undefined && few.length > 0) return this.#drawFew(at, few, shape)
    if (this.#settings.temperature > 0) return this.#drawAny(at, shape)
    if (this.#constraint === undefined) return this.#lists.first(at, shape)
    return this.#drawLikeliest(at, await this.#lists.likeliest(at, shape), shape)
  }

  async #drawAny(at: number, shape: Shape): Promise<Token | undefined> {
    if (this.#flat === undefined) return this.#drawCut(at, await this.#list(at, shape), shape)
    const listed = this.#peaks.isWorthALook() ? await this.#list(at, shape) : undefined
    const isPeaked = listed !== undefined && this.#isPeaked(listed)
    if (listed !== undefined) this.#peaks.note(isPeaked)
    if (isPeaked) return this.#propose(at, listed, shape)
    const token = await this.#flat.draw(at)
    return token !== -1 && this.#fits(token) ? token : this.#propose(at, listed ?? (await this.#list(at, shape)), shape)
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
    const isWeighed = this.#constraint !== undefined && this.#isFlat(listed)
    if (isWeighed) await this.#weighRest(at, listed, shape)
    const misfits = isWeighed && this.#isFlat(listed) ? this.#misfits() : undefined
    return (misfits && (await this.#drawBeside(at, misfits, shape))) ?? this.#propose(at, listed, shape, isWeighed)
  }

  /** Undefined if the token doesn't fit after all. */
  async #drawBeside(at: number, misfits: Uint32Array, shape: Shape): Promise<Token | undefined> {
    const token = await this.#lists.draw(at, misfits, this.#settings, shape, this.#settings.random() * 2 ** 32)
    return token !== -1 && this.#fits(token) ? token : undefined
  }

  /** Whether all that are not listed together weigh next to nothing. */
  #isPeaked({ candidates, rest }: ListedTokens): boolean {
    return candidates.length > 0 && heatedWeight(rest, this.#settings.temperature) <= MAX_TAIL
  }

  /** Whether most proposals would depend on tokens that are not listed. Must not depend on random numbers. */
  #isFlat({ candidates, weight, rest }: ListedTokens): boolean {
    const { topK = Number.POSITIVE_INFINITY, minP = 0 } = this.#settings
    return isCut(this.#settings) && topK > candidates.length && rest.heaviest >= minP && rest.weight > weight
  }

  #misfits(): Uint32Array | undefined {
    return this.#constraint?.grammar.misfits(this.#constraint.state)
  }

  async #propose(at: number, listed: ListedTokens, shape: Shape, isRestWeighed = false): Promise<Token | undefined> {
    const weights = listed.candidates.map(({ logit }) => this.#weigh(listed, logit))
    weights.push(heatedWeight(listed.rest, this.#settings.temperature))
    return this.#drawProposed(at, shape, { listed, weights, isRestWeighed, excluded: [], tailDraws: 0 })
  }

  async #drawLikeliest(at: number, listed: readonly Candidate[], shape: Shape): Promise<Token | undefined> {
    const found = listed.find(({ token }) => this.#fits(token))
    if (found !== undefined) return found.token
    const [first] = await this.#keep(at, shape, FIRST)
    return first?.token
  }

  async #list(at: number, shape: Shape): Promise<ListedTokens> {
    const candidates = await this.#lists.likeliest(at, shape)
    const count = this.#native.vocabulary.size - candidates.length
    const heaviest = Math.exp((candidates.at(-1)?.logit ?? Number.NEGATIVE_INFINITY) - (candidates[0]?.logit ?? 0))
    return this.#listed(candidates, { count, weight: count * heaviest, heaviest })
  }

  #listed(candidates: readonly Candidate[], rest: Rest): ListedTokens {
    return new ListedTokens(candidates, rest, this.#settings, this.#constraint && ((token) => this.#fits(token)))
  }

  async #weighRest(at: number, listed: ListedTokens, shape: Shape): Promise<void> {
    const sum = withoutRounding(await this.#lists.weight(at, shape), this.#native.vocabulary.size)
    const weight = Math.min(listed.rest.weight, Math.max(0, sum - listed.weight))
    listed.rest = { ...listed.rest, weight }
  }

  async #drawProposed(at: number, shape: Shape, proposals: Proposals): Promise<Token | undefined> {
    const { listed, weights } = proposals
    for (;;) {
      const index = drawWeighted(weights, this.#settings.random())
      const isKept = index === undefined ? undefined : await this.#judge(at, shape, proposals, index)
      if (index !== undefined && isKept === true) return listed.candidates[index]!.token
      if (index !== undefined && isKept === false) weights[index] = 0
      else if (isKept === undefined) {
        const found = await this.#findKept(at, shape, proposals, index)
        if (found !== undefined) return this.#settle(found, proposals, index)
        const token = await this.#drawTail(at, shape, proposals)
        if (token !== undefined) return token
      }
    }
  }

  /** Undefined if it depends on tokens that are not listed, and 'lighter' if those don't weigh enough for this proposal. */
  async #judge(
    at: number,
    shape: Shape,
    proposals: Proposals,
    index: number,
  ): Promise<boolean | 'lighter' | undefined> {
    const { listed, weights, isRestWeighed } = proposals
    const isKept = listed.isKept(index)
    if (isKept !== undefined || isRestWeighed) return isKept
    await this.#weighRest(at, listed, shape)
    proposals.isRestWeighed = true
    const before = weights.at(-1)!
    weights[weights.length - 1] = Math.min(before, heatedWeight(listed.rest, this.#settings.temperature))
    const isLighter = index === listed.candidates.length && this.#settings.random() * before >= weights.at(-1)!
    return isLighter ? 'lighter' : listed.isKept(index)
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
    return (await this.#keepLikely(at, shape, proposals.listed)) ?? this.#keep(at, shape, this.#settings)
  }

  /** Undefined if more may be kept than the library finds without sorting everything. */
  async #keepLikely(at: number, shape: Shape, { weight, candidates, rest }: ListedTokens) {
    const { size } = this.#native.vocabulary
    const { topK = size, topP = 1 } = this.#settings
    const isOfAll = topK >= size
    if (this.#constraint !== undefined || !isCut(this.#settings) || (topK > LIKELY && !isOfAll)) return undefined
    const whole = isOfAll && topP < 1 ? await this.#lists.weight(at, shape) : undefined
    const most = weight + (LIKELY - candidates.length) * rest.heaviest
    if (whole !== undefined && most < topP * whole) return undefined
    const likely = await this.#lists.likely(at, shape)
    const kept = keepLikeliest(likely, this.#settings, whole)
    return kept.length < likely.length || topK <= likely.length ? kept : undefined
  }

  /** All tokens that fit and that are kept, after comparing every token with the grammar. */
  async #keep(at: number, shape: Shape, cuts: Cuts & { temperature: number }): Promise<Candidate[]> {
    const constraint = this.#constraint
    const hasVetoes = constraint?.grammar.vetoes !== undefined
    // However unlikely a token is: the likelier ones may all have a veto.
    const kept = hasVetoes ? { temperature: Number.POSITIVE_INFINITY } : cuts
    const all = await this.#limit.wait(() => this.#lists.kept(at, constraint, kept, shape))
    if (!hasVetoes) return all
    const { grammar, state } = constraint
    return keepLikeliest(
      this.#limit.call(() => all.filter(({ token }) => grammar.vetoes?.(state, token) === false)),
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
    return this.#constraint?.grammar.allows(this.#constraint.state, token) ?? true
  }
}

function isBanned(token: Token, { tokenBiasKeys, tokenBiasValues }: Shape): boolean {
  const index = tokenBiasKeys?.indexOf(token) ?? -1
  return tokenBiasValues?.[index] === Number.NEGATIVE_INFINITY
}
