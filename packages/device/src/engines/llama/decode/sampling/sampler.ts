// Draws the next token of one choice with the request's settings. This file owns the drawn tokens, which penalties count, and the state of the
// grammar.

import { TooManyWays } from '@hearth/json-schema-grammar'
import { randomInt } from 'node:crypto'
import { EngineError, type EngineJob } from '../../../engine.ts'
import type { Grammar, Native, NativeSampler, SamplerConfig, Token, Vocabulary } from '../../native/native.ts'
import { ConstrainedDraw } from './constrained-draw.ts'
import { startConstraint, type Constraint } from './constraint.ts'
import { createSampler } from './create-sampler.ts'
import { CutDraw, type Biases, type Draw } from './cut-draw.ts'
import { isCut, negligibleThreshold, type Cuts } from './cut.ts'
import { LIKELIEST, NucleusDraw } from './nucleus-draw.ts'
import { PeakedDraw } from './peaked-draw.ts'
import { seededRandom } from './seeded-random.ts'
import type { Shape } from './tail-draw.ts'

export type SamplerSettings = Pick<
  EngineJob,
  'temperature' | 'topP' | 'topK' | 'minP' | 'repeatPenalty' | 'frequencyPenalty' | 'presencePenalty' | 'logitBias'
>

export class Sampler {
  readonly #native: Native
  readonly #settings: SamplerSettings
  readonly #seed: number
  readonly #drawn: Token[] = []
  /** Undefined where the library draws by itself: without a grammar, and with penalties or a large `top_k`. */
  #drawing: Draw | undefined
  #sampler: NativeSampler | undefined
  #constraint: Constraint | undefined

  constructor(native: Native, settings: SamplerSettings, seed: number) {
    this.#native = native
    this.#settings = settings
    this.#seed = seed
    this.#drawing = this.#createFree()
  }

  async draw(at: number): Promise<Token> {
    const token = await this.#drawAny(at)
    if (token === -1 || this.#isBanned(token)) throw this.#nothingLeft()
    this.#drawn.push(token)
    return token
  }

  /** `at` is likely drawn from soon. */
  prepare(at: number): void {
    this.#drawing?.prepare?.(at)
  }

  /** Resolves when nothing that was prepared is still being read. Undefined if there is nothing. */
  settle(): Promise<void> | undefined {
    return this.#drawing?.settle?.()
  }

  /**
   * Limits all further tokens to `grammar`, which `begun` has already started. Never draws tokens in `banned`. False if `begun` doesn't fit
   * the grammar: then nothing is limited.
   */
  constrain(grammar: Grammar, begun: readonly Token[], banned: readonly Token[]): boolean {
    const constraint = startConstraint(grammar, begun)
    if (constraint === undefined) return false
    this.#constraint = constraint
    this.dispose()
    this.#drawing = this.#createConstrained(constraint, banned)
    return true
  }

  /** Counts a token that was inserted without being drawn. */
  force(token: Token): void {
    this.#drawn.push(token)
    this.#constraint?.grammar.accept(this.#constraint.state, token)
  }

  /** Has the penalties count the tokens that were forced. */
  countForced(): void {
    this.#sampler?.applyConfig(this.#config)
  }

  /** Tokens that are likely next, because the grammar leaves no choice. */
  foresee(): readonly Token[] {
    return this.#constraint ? forcedTokens(this.#native.vocabulary, this.#constraint, this.#drawn.at(-1)) : []
  }

  dispose(): void {
    this.#sampler?.dispose()
    this.#sampler = undefined
    this.#drawing?.dispose()
  }

  async #drawAny(at: number): Promise<Token> {
    try {
      return await (this.#drawing?.draw(at) ?? this.#native.context.sampleToken(at, this.#counting))
    } catch (error) {
      throw error instanceof TooManyWays ? tooIntricate() : this.#nothingLeft(error)
    }
  }

  #nothingLeft(cause?: unknown): EngineError {
    const vetoed = this.#constraint?.grammar.vetoes && ', or every value was used and "uniqueItems" allows no more'
    return new EngineError('failed', `No token can follow: logit_bias bans all that would fit${vetoed ?? ''}`, {
      cause,
    })
  }

  get #counting(): NativeSampler {
    this.#sampler ??= createSampler(this.#native, this.#config)
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

  #createConstrained(constraint: Constraint, banned: readonly Token[]): Draw {
    const { temperature = 1 } = this.#settings
    const biases = this.#biases(true, banned)
    const shape = (): Shape => (this.#hasPenalties ? { ...biases, ...this.#penalties() } : biases)
    // Not the numbers of the free draw: which of its tokens don't fit depends on them.
    const settings = { temperature, ...this.#cuts, shape, random: seededRandom(~this.#seed) }
    const isWhole = temperature > 0 && !isCut(this.#cuts) && !this.#hasPenalties
    const free = isWhole ? new CutDraw(this.#native, temperature, biases, this.#seed) : undefined
    return new ConstrainedDraw(this.#native, constraint, settings, free)
  }

  #createFree(): Draw | undefined {
    const { temperature = 1 } = this.#settings
    const cuts = this.#cuts
    const biases = this.#biases(false, [])
    if (this.#hasPenalties) return undefined
    if (temperature <= 0) return new GreedyDraw(this.#native, biases)
    if (cuts.topK !== undefined && cuts.topK > LIKELIEST) return undefined
    if (isCut(cuts)) return new NucleusDraw(this.#native, { temperature, ...cuts }, biases, this.#seed)
    const cut = new CutDraw(this.#native, temperature, biases, this.#seed)
    return new PeakedDraw(this.#native, temperature, biases, this.#seed, cut)
  }

  // If every token is banned, the native sampler takes an arbitrary one.
  #isBanned(token: Token): boolean {
    return (this.#settings.logitBias?.[String(token)] ?? 0) <= -100 && !this.#native.vocabulary.isEnd(token)
  }

  get #config(): SamplerConfig {
    const { temperature = 1 } = this.#settings
    const { minP = 0, ...cuts } = this.#cuts
    const negligible = temperature > 0 ? negligibleThreshold(this.#native.vocabulary.size, temperature) : 0
    return {
      temperature,
      seed: this.#seed,
      ...cuts,
      minP: Math.max(minP, negligible),
      ...this.#biases(false, []),
      ...this.#penalties(),
    }
  }

  // Penalties apply to all drawn tokens and no others: the window is as large as a slot.
  #penalties(): Shape {
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

  #biases(isConstrained: boolean, banned: readonly Token[]): Biases {
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

function tooIntricate(): EngineError {
  return new EngineError('failed', 'The schema is too complex to enforce: a text can match it in too many ways')
}

/** The library's default seed is the current second: choices that start together would be identical. */
export function randomSeed(): number {
  return randomInt(2 ** 32)
}

// Takes the likeliest token, which needs no sorting.
class GreedyDraw implements Draw {
  readonly #native: Native
  readonly #sampler: NativeSampler

  constructor(native: Native, biases: Biases) {
    this.#native = native
    this.#sampler = createSampler(native, { temperature: 0, ...biases })
  }

  draw(at: number): Promise<Token> {
    return this.#native.context.sampleToken(at, this.#sampler)
  }

  dispose(): void {
    this.#sampler.dispose()
  }
}

// What a grammar leaves no choice about: keys, quotes, constants. There may still be a choice between the ways to cut the text into tokens,
// and between a space and none, so these tokens are likely, but not certain.
/** Where more tokens fit, they don't all begin the same text. */
const FEW = 16
const MOST_FORCED = 8
/** How vocabularies write a space. */
const LEADING_SPACE = /^[ Ġ▁]/
/** Inside words, there is always a choice: keys that were begun are in the guesses already. */
const MAY_END_CHOICE = /[^\p{L}\p{N}Ġ▁ ]/u

/** The tokens after the last one. */
export function forcedTokens(vocabulary: Vocabulary, constraint: Constraint, last: Token | undefined): Token[] {
  if (last !== undefined && !MAY_END_CHOICE.test(vocabulary.text(last))) return []
  return findForced(vocabulary, { ...constraint, state: constraint.grammar.copy(constraint.state) })
}

/** Advances the state. */
function findForced(vocabulary: Vocabulary, { grammar, state }: Constraint): Token[] {
  const forced: Token[] = []
  while (forced.length < MOST_FORCED) {
    const fitting = grammar.few(state)
    const token = fitting && fitting.length <= FEW ? onlyText(vocabulary, fitting) : undefined
    if (token === undefined) break
    grammar.accept(state, token)
    forced.push(token)
  }
  return forced
}

/** The longest token, if all others begin the same text. */
function onlyText(vocabulary: Vocabulary, tokens: readonly Token[]): Token | undefined {
  if (tokens.some((token) => vocabulary.isEnd(token))) return undefined
  const texts = tokens.map((token) => ({ token, text: vocabulary.text(token) }))
  const [longest] = texts.toSorted((a, b) => b.text.length - a.text.length)
  const whole = longest?.text.replace(LEADING_SPACE, '') ?? ''
  return texts.every(({ text }) => whole.startsWith(text.replace(LEADING_SPACE, ''))) ? longest?.token : undefined
}
