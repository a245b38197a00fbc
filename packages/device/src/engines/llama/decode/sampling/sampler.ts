// Draws the next token of one choice with the request's settings. The native sampler holds the drawn tokens (for penalties) and the state of
// the grammar; this file owns both.

import { randomInt } from 'node:crypto'
import { EngineError, type EngineJob } from '../../../engine.ts'
import type { Grammar, GrammarState, Native, NativeSampler, SamplerConfig, Token } from '../../native/native.ts'
import { ConstrainedDraw, type Constraint } from './constrained-draw.ts'
import { CutDraw, type Biases, type Draw } from './cut-draw.ts'
import { negligibleThreshold, type Cuts } from './cut.ts'
import { GreedyDraw } from './greedy-draw.ts'
import { LIKELIEST, NucleusDraw } from './nucleus-draw.ts'

export type SamplerSettings = Pick<
  EngineJob,
  'temperature' | 'topP' | 'topK' | 'minP' | 'repeatPenalty' | 'frequencyPenalty' | 'presencePenalty' | 'logitBias'
>

/** A grammar that takes this long for one token takes several times longer for the next. */
const MAX_DRAW_MS = 3_000

export class Sampler {
  readonly #native: Native
  readonly #settings: SamplerSettings
  readonly #seed: number
  readonly #drawn: Token[] = []
  /** Draws faster than the library, but counts no tokens: only for replies without penalties. */
  #fast: Draw | undefined
  #sampler: NativeSampler | undefined
  #constraint: Constraint | undefined
  #banned: readonly Token[] = []

  constructor(native: Native, settings: SamplerSettings, seed: number) {
    this.#native = native
    this.#settings = settings
    this.#seed = seed
    this.#fast = this.#createFast(this.#biases(false, []))
    if (this.#fast === undefined) this.#configure(undefined, [])
  }

  async draw(at: number): Promise<Token> {
    const begun = performance.now()
    const token = await this.#drawAny(at)
    if (this.#constraint !== undefined && performance.now() - begun > MAX_DRAW_MS) throw tooIntricate()
    if (token === -1 || this.#isBanned(token)) return nothingLeft()
    this.#drawn.push(token)
    return token
  }

  /**
   * Limits all further tokens to `grammar`, which `begun` has already started. Never draws tokens in `banned`. False if `begun` doesn't fit
   * the grammar: then nothing is limited.
   */
  constrain(grammar: Grammar, begun: readonly Token[], banned: readonly Token[]): boolean {
    const state = startWith(grammar, begun)
    if (state === undefined) return false
    this.#banned = banned
    const thorough = this.#configure(state, banned)
    this.#constraint = { grammar, state }
    this.#fast?.dispose()
    this.#fast = this.#hasPenalties ? undefined : this.#createConstrained(this.#constraint, banned, thorough)
    return true
  }

  /** Counts a token that was inserted without being drawn. */
  force(token: Token): void {
    this.#drawn.push(token)
    this.#constraint?.grammar.accept(this.#constraint.state, token)
  }

  /** Has the penalties count the tokens that were forced. */
  countForced(): void {
    if (this.#hasPenalties) this.#configure(this.#constraint?.state, this.#banned)
  }

  dispose(): void {
    this.#sampler?.dispose()
    this.#fast?.dispose()
  }

  async #drawAny(at: number): Promise<Token> {
    try {
      return await (this.#fast?.draw(at) ?? this.#native.context.sampleToken(at, this.#thorough))
    } catch (error) {
      return nothingLeft(error)
    }
  }

  get #thorough(): NativeSampler {
    return this.#sampler ?? this.#configure(this.#constraint?.state, this.#banned)
  }

  #configure(grammar: GrammarState | undefined, banned: readonly Token[]): NativeSampler {
    this.#sampler ??= this.#native.createSampler()
    this.#sampler.applyConfig(this.#config(grammar, banned))
    return this.#sampler
  }

  get #hasPenalties(): boolean {
    const { frequencyPenalty = 0, presencePenalty = 0, repeatPenalty = 1 } = this.#settings
    return frequencyPenalty !== 0 || presencePenalty !== 0 || repeatPenalty !== 1
  }

  /** Without those that cut nothing. */
  get #cuts(): Cuts {
    const { topK = 0, topP = 1, minP = 0 } = this.#settings
    return { ...(topK > 0 && { topK }), ...(topP < 1 && { topP }), ...(minP > 0 && { minP }) }
  }

  #createConstrained(constraint: Constraint, banned: readonly Token[], thorough: NativeSampler): Draw {
    const { temperature = 1 } = this.#settings
    const biases = this.#biases(true, banned)
    const draws = { free: temperature > 0 ? this.#createFast(biases) : undefined, thorough }
    const settings = { temperature, ...this.#cuts, biases, seed: this.#seed }
    return new ConstrainedDraw(this.#native, constraint, settings, draws)
  }

  #createFast(biases: Biases): Draw | undefined {
    const { temperature = 1 } = this.#settings
    const cuts = this.#cuts
    if (this.#hasPenalties) return undefined
    if (temperature <= 0) return new GreedyDraw(this.#native, biases)
    if (cuts.topK !== undefined && cuts.topK > LIKELIEST) return undefined
    if (Object.keys(cuts).length > 0) return new NucleusDraw(this.#native, { temperature, ...cuts }, biases, this.#seed)
    return new CutDraw(this.#native, temperature, biases, this.#seed)
  }

  // If every token is banned, the native sampler takes an arbitrary one.
  #isBanned(token: Token): boolean {
    return (this.#settings.logitBias?.[String(token)] ?? 0) <= -100 && !this.#native.vocabulary.isEnd(token)
  }

  #config(grammar: GrammarState | undefined, banned: readonly Token[]): SamplerConfig {
    const { temperature = 1 } = this.#settings
    const { minP = 0, ...cuts } = this.#cuts
    const negligible = temperature > 0 ? negligibleThreshold(this.#native.vocabulary.size, temperature) : 0
    return {
      temperature,
      seed: this.#seed,
      ...cuts,
      minP: Math.max(minP, negligible),
      ...this.#penalties(),
      ...this.#biases(grammar !== undefined, banned),
      ...(grammar === undefined ? {} : { grammarEvaluationState: grammar }),
    }
  }

  // Penalties apply to all drawn tokens and no others: the window is as large as a slot.
  #penalties(): Partial<SamplerConfig> {
    const { frequencyPenalty = 0, presencePenalty = 0, repeatPenalty = 1 } = this.#settings
    if (!this.#hasPenalties) return {}
    return {
      repeatPenalty,
      repeatPenaltyMaxTokens: this.#native.contextLength,
      repeatPenaltyTokens: Uint32Array.from(this.#drawn),
      repeatPenaltyFrequencyPenalty: frequencyPenalty,
      repeatPenaltyPresencePenalty: presencePenalty,
    }
  }

  #biases(isConstrained: boolean, banned: readonly Token[]): Partial<SamplerConfig> {
    const { vocabulary } = this.#native
    const biases = new Map<Token, number>()
    for (const [id, bias] of Object.entries(this.#settings.logitBias ?? {})) {
      const token = Number(id)
      // If a grammar decides when the text is complete, a ban on end tokens would only prevent it from ending.
      if (token < vocabulary.size && !(isConstrained && bias < 0 && vocabulary.isEnd(token)))
        biases.set(token, bias <= -100 ? Number.NEGATIVE_INFINITY : bias)
    }
    for (const token of banned) biases.set(token, Number.NEGATIVE_INFINITY)
    if (biases.size === 0) return {}
    return {
      tokenBiasKeys: Uint32Array.from(biases.keys()),
      tokenBiasValues: Float32Array.from(biases.values()),
    }
  }
}

/** The library throws at a token that doesn't fit, and at nothing else. */
function startWith(grammar: Grammar, tokens: readonly Token[]): GrammarState | undefined {
  const state = grammar.start()
  try {
    for (const token of tokens) grammar.accept(state, token)
    return state
  } catch {
    return undefined
  }
}

function tooIntricate(): EngineError {
  return new EngineError('failed', 'The schema is too complex to enforce: a text can match it in too many ways')
}

function nothingLeft(cause?: unknown): never {
  throw new EngineError('failed', 'No token can follow: logit_bias bans all that would fit', { cause })
}

/** The library's default seed is the current second: choices that start together would be identical. */
export function randomSeed(): number {
  return randomInt(2 ** 32)
}
