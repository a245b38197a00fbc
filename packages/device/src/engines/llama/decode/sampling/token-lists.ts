// Reads tokens and their logits from the library, with the likeliest first: as they are with biases and penalties, and before the temperature.

import type { Native, NativeSampler, SamplerConfig, Token } from '../../native/native.ts'
import { tokenPairs } from '../../native/token-pairs.ts'
import type { Constraint } from './constraint.ts'
import { negligibleThreshold, type Cuts } from './cut.ts'
import type { Candidate } from './listed-tokens.ts'
import { ShapedSampler, type Shape } from './shaped-sampler.ts'
import { excluding } from './tail-draw.ts'

/** The native sampler finds this many with hardly any sorting. */
export const LIKELIEST = 64

/** Finding them takes a sixth of the time of sorting 49,152 tokens, and flat distributions rarely keep more with top_p 0.95. */
export const LIKELY = 1024

/**
 * Added to logits, it puts a few tokens before all others, so that the library finds them without searching. With a larger one, 32-bit
 * floats would change the distribution by more than 1e-5.
 */
const LIFT = 96

/** All tokens that a sampler keeps, or only some. */
type Which = true | [only: readonly Token[], max: false, min: false, sampled: true, top: 0]

type HotCuts = Cuts & { temperature: number }
type SamplerName = 'few' | 'kept' | 'likely'

export class TokenLists {
  readonly #native: Native
  readonly #samplers: Partial<Record<SamplerName, NativeSampler>> = {}
  readonly #whole: ShapedSampler
  /** Places that are prepared at the same time need one each. */
  readonly #likeliest: ShapedSampler[] = []
  readonly #prepared = new Map<number, Promise<Candidate[]>>()

  constructor(native: Native) {
    this.#native = native
    this.#whole = new ShapedSampler(native, { temperature: 0 })
  }

  /** `at` is likely read soon, in this shape. */
  prepare(at: number, shape: Shape): void {
    if (!this.#prepared.has(at)) this.#prepared.set(at, this.#find(at, shape))
  }

  /** Resolves when nothing that was prepared is still being read. Undefined if there is nothing. */
  settle(): Promise<void> | undefined {
    if (this.#prepared.size === 0) return undefined
    const finding = [...this.#prepared.values()]
    this.#prepared.clear()
    return Promise.allSettled(finding).then(() => undefined)
  }

  likeliest(at: number, shape: Shape): Promise<Candidate[]> {
    const prepared = this.#prepared.get(at)
    this.#prepared.delete(at)
    return prepared ?? this.#find(at, shape)
  }

  /** The first `LIKELY`, for places where too many tokens are likely for the few above. */
  likely(at: number, shape: Shape): Promise<Candidate[]> {
    return this.#list(at, this.#configure('likely', { temperature: 1, topK: LIKELY, seed: 0, ...shape }))
  }

  /** Only the likeliest, which needs no sorting. */
  first(at: number, shape: Shape): Promise<Token> {
    return this.#native.context.sampleToken(at, this.#whole.with(shape))
  }

  /** The weight of the whole vocabulary, where the likeliest token weighs 1. */
  async weight(at: number, shape: Shape): Promise<number> {
    const sampler = this.#whole.with(shape)
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
  kept(at: number, constraint: Constraint | undefined, cuts: HotCuts, shape: Shape): Promise<Candidate[]> {
    const limited = constraint === undefined ? shape : limit(constraint, shape)
    return this.#list(at, this.#configure('kept', { ...this.#cut(cuts), temperature: 1, seed: 0, ...limited }))
  }

  /** One of them, by the library. */
  draw(at: number, misfits: Uint32Array, cuts: HotCuts, shape: Shape, seed: number): Promise<Token> {
    const config = { ...this.#cut(cuts), temperature: cuts.temperature, seed, ...excluding(misfits, shape) }
    return this.#native.context.sampleToken(at, this.#configure('kept', config))
  }

  dispose(): void {
    for (const sampler of [...Object.values(this.#samplers), ...this.#likeliest, this.#whole]) sampler.dispose()
  }

  /** The library looks for each of all tokens in all of these. */
  async #search(at: number, tokens: readonly Token[], shape: Shape): Promise<Candidate[]> {
    const listed = await this.#list(at, this.#whole.with(shape), [tokens, false, false, true, 0])
    return listed.filter(({ token }) => tokens.includes(token))
  }

  #cut({ temperature, topK = 0, topP = 1, minP = 0 }: HotCuts): Cuts {
    const least = Math.max(minP, negligibleThreshold(this.#native.vocabulary.size, temperature))
    return { ...(topK > 0 && { topK }), ...(topP < 1 && { topP }), minP: least }
  }

  async #find(at: number, shape: Shape): Promise<Candidate[]> {
    const config = { temperature: 1, topK: LIKELIEST, seed: 0 }
    const sampler = this.#likeliest.pop() ?? new ShapedSampler(this.#native, config)
    try {
      return await this.#list(at, sampler.with(shape))
    } finally {
      this.#likeliest.push(sampler)
    }
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
function limit({ grammar, state }: Constraint, shape: Shape): Partial<SamplerConfig> {
  const misfits = grammar.misfits(state)
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
