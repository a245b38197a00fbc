// Draws tokens that a grammar allows. To compare the whole vocabulary with the grammar takes longer than to compute the token. So the
// likeliest tokens are compared first; then those that begin with bytes that can come next; and only then all of them.

import type { Grammar, GrammarState, Native, NativeSampler, SamplerConfig, Token } from '../../native/native.ts'
import { narrowTokens, tokenGroupsOf } from '../../native/token-groups.ts'
import { tokenPairs } from '../../native/token-pairs.ts'
import { chooseFitting, type Candidate, type DrawSettings } from './choose-fitting.ts'
import { createSampler } from './create-sampler.ts'
import type { Biases, Draw } from './cut-draw.ts'
import { seededRandom, type Random } from './seeded-random.ts'

/** How many of the likeliest tokens are compared. */
const LIKELIEST = 64
/** With more tokens to choose from, it is as fast to compare all. */
const MAX_NARROWED = 8_192
/** Lifts some tokens above all others. */
const LIFT = 1_000

/** A grammar, and how far the reply has come in it. */
export interface Constraint {
  grammar: Grammar
  state: GrammarState
}

export interface ConstrainedSettings extends DrawSettings {
  biases: Biases
  seed: number
}

export interface OtherDraws {
  /** Knows nothing of the grammar. Undefined at temperature 0: it would only draw the likeliest token. */
  free: Draw | undefined
  /** Compares all tokens with the grammar, and advances its state. It stays the caller's. */
  thorough: NativeSampler
}

export class ConstrainedDraw implements Draw {
  readonly #native: Native
  readonly #grammar: Grammar
  readonly #state: GrammarState
  readonly #settings: ConstrainedSettings
  readonly #others: OtherDraws
  readonly #likeliest: NativeSampler
  /** The likeliest of some tokens. */
  #narrowed: NativeSampler | undefined
  readonly #random: Random

  constructor(native: Native, constraint: Constraint, settings: ConstrainedSettings, others: OtherDraws) {
    this.#native = native
    this.#grammar = constraint.grammar
    this.#state = constraint.state
    this.#settings = settings
    this.#others = others
    this.#likeliest = createSampler(native, listing(settings.biases))
    // Not the numbers of the free draw: which of its tokens don't fit depends on them.
    this.#random = seededRandom(~settings.seed)
  }

  async draw(at: number): Promise<Token> {
    const token = (await this.#drawFree(at)) ?? (await this.#drawLikely(at)) ?? (await this.#drawNarrowed(at))
    if (token === undefined) return this.#native.context.sampleToken(at, this.#others.thorough)
    if (!this.#native.vocabulary.isEnd(token)) this.#grammar.accept(this.#state, token)
    return token
  }

  dispose(): void {
    for (const drawing of [this.#others.free, this.#likeliest, this.#narrowed]) drawing?.dispose()
  }

  async #drawFree(at: number): Promise<Token | undefined> {
    const token = await this.#others.free?.draw(at)
    return token !== undefined && token !== -1 && this.#fits(token) ? token : undefined
  }

  async #drawLikely(at: number): Promise<Token | undefined> {
    return this.#choose(await this.#list(at, this.#likeliest))
  }

  async #drawNarrowed(at: number): Promise<Token | undefined> {
    const tokens = narrowTokens(tokenGroupsOf(this.#native.vocabulary), (token) => this.#fits(token))
    if (tokens.length === 0 || tokens.length > MAX_NARROWED) return undefined
    this.#narrowed ??= this.#native.createSampler()
    this.#narrowed.applyConfig(listing(this.#lift(tokens)))
    const listed = await this.#list(at, this.#narrowed)
    return this.#choose(listed.filter(({ logit }) => logit > LIFT / 2))
  }

  #lift(tokens: readonly Token[]): Biases {
    const { tokenBiasKeys = [], tokenBiasValues = [] } = this.#settings.biases
    const biases = new Map(Array.from(tokenBiasKeys, (token, index) => [token, tokenBiasValues[index] ?? 0]))
    return {
      tokenBiasKeys: Uint32Array.from(tokens),
      tokenBiasValues: Float32Array.from(tokens, (token) => LIFT + (biases.get(token) ?? 0)),
    }
  }

  async #list(at: number, sampler: NativeSampler): Promise<Candidate[]> {
    const [, , , flat] = await this.#native.context.sampleToken(at, sampler, false, false, true, false)
    return tokenPairs(flat).map(([token, logit]) => ({ token, logit }))
  }

  #choose(candidates: readonly Candidate[]): Token | undefined {
    return chooseFitting(candidates, this.#settings, (token) => this.#fits(token), this.#random)
  }

  #fits(token: Token): boolean {
    return this.#grammar.allows(this.#state, token)
  }
}

/** Lists the likeliest tokens, as they are before top_p and temperature. */
function listing(biases: Biases): SamplerConfig {
  return { temperature: 1, topK: LIKELIEST, seed: 0, ...biases }
}
