// Reads tokens and their logits from the library, with the likeliest first: as they are with biases and penalties, and before the temperature.

import type { Native, NativeSampler, SamplerConfig, Token } from '../../native/native.ts'
import { tokenPairs } from '../../native/token-pairs.ts'
import type { Constraint } from './constraint.ts'
import { negligibleThreshold, type Cuts } from './cut.ts'
import type { Candidate } from './listed-tokens.ts'
import type { Shape } from './tail-draw.ts'

/** The native sampler finds this many with hardly any sorting. */
const LIKELIEST = 64

/** All tokens that a sampler keeps, or only some. */
type Which = true | [only: readonly Token[], max: false, min: false, sampled: true, top: 0]

export class TokenLists {
  readonly #native: Native
  readonly #samplers: Partial<Record<'likeliest' | 'weight' | 'kept', NativeSampler>> = {}
  /** Configuring a sampler takes a noticeable part of a draw, and most replies keep their shape. */
  readonly #shapes: Partial<Record<'likeliest' | 'weight', Shape>> = {}

  constructor(native: Native) {
    this.#native = native
  }

  likeliest(at: number, shape: Shape): Promise<Candidate[]> {
    return this.#list(at, this.#shaped('likeliest', { temperature: 1, topK: LIKELIEST, seed: 0 }, shape))
  }

  /** The weight of the whole vocabulary, where the likeliest token weighs 1. */
  async weight(at: number, shape: Shape): Promise<number> {
    const sampler = this.#shaped('weight', { temperature: 0 }, shape)
    const [, , , , weight = 0] = await this.#native.context.sampleToken(at, sampler, false, false, false, true)
    return weight
  }

  /** These tokens. The library looks for each of them in all of these, so they should be few. */
  some(at: number, tokens: readonly Token[], shape: Shape): Promise<Candidate[]> {
    const sampler = this.#shaped('weight', { temperature: 0 }, shape)
    return this.#list(at, sampler, [tokens, false, false, true, 0])
  }

  /** All that fit and that are kept, without those that don't matter at this temperature. Compares every token with the grammar. */
  kept(
    at: number,
    { grammar, state }: Constraint,
    { temperature, topK = 0, topP = 1, minP = 0 }: Cuts & { temperature: number },
    shape: Shape,
  ): Promise<Candidate[]> {
    const least = Math.max(minP, negligibleThreshold(this.#native.vocabulary.size, temperature))
    const cuts = { ...(topK > 0 && { topK }), ...(topP < 1 && { topP }), minP: least }
    const config = { temperature: 1, seed: 0, ...cuts, ...shape, grammarEvaluationState: grammar.forDraw(state) }
    return this.#list(at, this.#configure('kept', config))
  }

  dispose(): void {
    for (const sampler of Object.values(this.#samplers)) sampler.dispose()
  }

  #shaped(name: 'likeliest' | 'weight', config: SamplerConfig, shape: Shape): NativeSampler {
    const sampler = this.#samplers[name]
    if (sampler !== undefined && this.#shapes[name] === shape) return sampler
    this.#shapes[name] = shape
    return this.#configure(name, { ...config, ...shape })
  }

  #configure(name: 'likeliest' | 'weight' | 'kept', config: SamplerConfig): NativeSampler {
    const sampler = (this.#samplers[name] ??= this.#native.createSampler())
    sampler.applyConfig(config)
    return sampler
  }

  async #list(at: number, sampler: NativeSampler, which: Which = true): Promise<Candidate[]> {
    const [, , , flat] = await this.#native.context.sampleToken(at, sampler, false, false, which, false)
    return tokenPairs(flat)
      .map(([token, logit]) => ({ token, logit }))
      .filter(({ logit }) => logit > Number.NEGATIVE_INFINITY)
  }
}
