// Reads tokens and their logits from the library, with the likeliest first: as they are with biases and penalties, and before the temperature.

import type { Native, NativeSampler, SamplerConfig, Token } from '../../native/native.ts'
import { tokenPairs } from '../../native/token-pairs.ts'
import type { Constraint } from './constraint.ts'
import { negligibleThreshold, type Cuts } from './cut.ts'
import type { Candidate } from './listed-tokens.ts'
import { excluding, type Shape } from './tail-draw.ts'

/** The native sampler finds this many with hardly any sorting. */
const LIKELIEST = 64

/**
 * Added to logits, it puts a few tokens before all others, so that the library finds them without searching. With a larger one, 32-bit
 * floats would change the distribution by more than 1e-5.
 */
const LIFT = 96

/** All tokens that a sampler keeps, or only some. */
type Which = true | [only: readonly Token[], max: false, min: false, sampled: true, top: 0]

type HotCuts = Cuts & { temperature: number }
type SamplerName = 'likeliest' | 'weight' | 'few' | 'kept'

export class TokenLists {
  readonly #native: Native
  readonly #samplers: Partial<Record<SamplerName, NativeSampler>> = {}
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

  /** These tokens, without those that are banned. */
  async few(at: number, tokens: readonly Token[], shape: Shape): Promise<Candidate[]> {
    const lifted = lift(tokens, shape)
    // This penalty is no sum.
    if ((shape.repeatPenalty ?? 1) !== 1) return this.#search(at, tokens, shape)
    const sampler = this.#configure('few', { temperature: 1, topK: tokens.length, seed: 0, ...lifted.shape })
    const listed = (await this.#list(at, sampler)).filter(({ token }) => lifted.tokens.has(token))
    // Another token can be still likelier, if logits are far apart.
    if (listed.length < lifted.tokens.size) return this.#search(at, tokens, shape)
    return listed.map(({ token, logit }) => ({ token, logit: logit - LIFT }))
  }

  /** All that fit and that are kept, without those that don't matter at this temperature. */
  kept(at: number, constraint: Constraint, cuts: HotCuts, shape: Shape): Promise<Candidate[]> {
    const misfits = constraint.grammar.misfits(constraint.state)
    return this.#list(
      at,
      this.#configure('kept', { ...this.#cut(cuts), temperature: 1, seed: 0, ...limit(constraint, misfits, shape) }),
    )
  }

  /** One of them, by the library. */
  draw(at: number, misfits: Uint32Array, cuts: HotCuts, shape: Shape, seed: number): Promise<Token> {
    const config = { ...this.#cut(cuts), temperature: cuts.temperature, seed, ...excluding(misfits, shape) }
    return this.#native.context.sampleToken(at, this.#configure('kept', config))
  }

  dispose(): void {
    for (const sampler of Object.values(this.#samplers)) sampler.dispose()
  }

  /** The library looks for each of all tokens in all of these. */
  async #search(at: number, tokens: readonly Token[], shape: Shape): Promise<Candidate[]> {
    const sampler = this.#shaped('weight', { temperature: 0 }, shape)
    const listed = await this.#list(at, sampler, [tokens, false, false, true, 0])
    return listed.filter(({ token }) => tokens.includes(token))
  }

  #cut({ temperature, topK = 0, topP = 1, minP = 0 }: HotCuts): Cuts {
    const least = Math.max(minP, negligibleThreshold(this.#native.vocabulary.size, temperature))
    return { ...(topK > 0 && { topK }), ...(topP < 1 && { topP }), minP: least }
  }

  #shaped(name: 'likeliest' | 'weight', config: SamplerConfig, shape: Shape): NativeSampler {
    const sampler = this.#samplers[name]
    if (sampler !== undefined && this.#shapes[name] === shape) return sampler
    this.#shapes[name] = shape
    return this.#configure(name, { ...config, ...shape })
  }

  #configure(name: SamplerName, config: SamplerConfig): NativeSampler {
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

/** Compares every token with the grammar if it isn't known which don't fit. */
function limit({ grammar, state }: Constraint, misfits: Uint32Array | undefined, shape: Shape): Partial<SamplerConfig> {
  return misfits === undefined
    ? { ...shape, grammarEvaluationState: grammar.forDraw(state) }
    : excluding(misfits, shape)
}

/** `tokens` are those that aren't banned. */
function lift(tokens: readonly Token[], shape: Shape): { tokens: Set<Token>; shape: Shape } {
  const { tokenBiasKeys = [], tokenBiasValues = [] } = shape
  const biases = new Map(Array.from(tokenBiasKeys, (token, index) => [token, tokenBiasValues[index] ?? 0]))
  for (const token of tokens) biases.set(token, (biases.get(token) ?? 0) + LIFT)
  const possible = tokens.filter((token) => biases.get(token) !== Number.NEGATIVE_INFINITY)
  return {
    tokens: new Set(possible),
    shape: {
      ...shape,
      tokenBiasKeys: Uint32Array.from(biases.keys()),
      tokenBiasValues: Float32Array.from(biases.values()),
    },
  }
}
