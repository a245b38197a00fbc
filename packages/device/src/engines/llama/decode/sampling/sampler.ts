// Draws the next token of one choice with the request's settings. This file owns the drawn tokens, which penalties count, and the state of the
// grammar. Penalties are biases on those tokens: the library would look for each token of the vocabulary among them.

import { TooManyWays } from '@hearth/json-schema-grammar'
import { randomInt } from 'node:crypto'
import { EngineError, type EngineJob } from '../../../engine.ts'
import type { Grammar, Native, Token } from '../../native/native.ts'
import { startConstraint, type Constraint } from './constraint.ts'
import { CutDraw } from './cut-draw.ts'
import { isCut, type Cuts } from './cut.ts'
import { ProposedDraw } from './proposed-draw.ts'
import { seededRandom } from './seeded-random.ts'
import type { Shape } from './shaped-sampler.ts'
import { forcedTokens } from './forced-tokens.ts'

export type SamplerSettings = Pick<
  EngineJob,
  'temperature' | 'topP' | 'topK' | 'minP' | 'repeatPenalty' | 'frequencyPenalty' | 'presencePenalty' | 'logitBias'
>

export class Sampler {
  readonly #native: Native
  readonly #settings: SamplerSettings
  readonly #seed: number
  readonly #drawn: Token[] = []
  #biases: ReadonlyMap<Token, number>
  /** Of drawn tokens, where the library doesn't count them. */
  readonly #penalties = new Map<Token, number>()
  /** Undefined when a token was drawn that penalties count. */
  #shape: Shape | undefined
  #drawing: ProposedDraw
  #constraint: Constraint | undefined

  constructor(native: Native, settings: SamplerSettings, seed: number) {
    this.#native = native
    this.#settings = settings
    this.#seed = seed
    this.#biases = this.#createBiases(false, [])
    this.#drawing = this.#createDraw()
  }

  async draw(at: number): Promise<Token> {
    const token = await this.#drawAny(at)
    if (token === -1 || this.#isBanned(token)) throw this.#nothingLeft()
    this.#count(token)
    return token
  }

  /** `at` is likely drawn from soon. */
  prepare(at: number): void {
    // Penalties depend on all tokens before.
    if (!this.#hasPenalties) this.#drawing.prepare(at)
  }

  /** Resolves when nothing that was prepared is still being read. Undefined if there is nothing. */
  settle(): Promise<void> | undefined {
    return this.#drawing.settle()
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
    this.#biases = this.#createBiases(true, banned)
    this.#shape = undefined
    this.#drawing = this.#createDraw(constraint)
    return true
  }

  /** Counts a token that was inserted without being drawn. */
  force(token: Token): void {
    this.#count(token)
    this.#constraint?.grammar.accept(this.#constraint.state, token)
  }

  /** Tokens that are likely next, because the grammar leaves no choice. */
  foresee(): readonly Token[] {
    return this.#constraint ? forcedTokens(this.#native.vocabulary, this.#constraint, this.#drawn.at(-1)) : []
  }

  dispose(): void {
    this.#drawing.dispose()
  }

  async #drawAny(at: number): Promise<Token> {
    try {
      return await this.#drawing.draw(at)
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

  get #hasPenalties(): boolean {
    const { frequencyPenalty = 0, presencePenalty = 0, repeatPenalty = 1 } = this.#settings
    return frequencyPenalty !== 0 || presencePenalty !== 0 || repeatPenalty !== 1
  }

  /** Without those that cut nothing. */
  get #cuts(): Cuts {
    const { topK = 0, topP = 1, minP = 0 } = this.#settings
    return { ...(topK > 0 && { topK }), ...(topP < 1 && { topP }), ...(minP > 0 && { minP }) }
  }

  #createDraw(constraint?: Constraint): ProposedDraw {
    const { temperature = 1 } = this.#settings
    const shape = (): Shape => (this.#shape ??= this.#createShape())
    // Not the numbers of the flat draw: which of its tokens don't fit depends on them.
    const settings = { temperature, ...this.#cuts, shape, random: seededRandom(~this.#seed) }
    const isWhole = temperature > 0 && !isCut(this.#cuts)
    const flat = isWhole ? new CutDraw(this.#native, temperature, shape, this.#seed) : undefined
    return new ProposedDraw(this.#native, settings, constraint, flat)
  }

  // If every token is banned, the native sampler takes an arbitrary one.
  #isBanned(token: Token): boolean {
    return (this.#settings.logitBias?.[String(token)] ?? 0) <= -100 && !this.#native.vocabulary.isEnd(token)
  }

  #count(token: Token): void {
    const { frequencyPenalty = 0, presencePenalty = 0, repeatPenalty = 1 } = this.#settings
    this.#drawn.push(token)
    if (!this.#hasPenalties) return
    this.#shape = undefined
    // The repeat penalty is no sum: with it, the library has to apply all of them.
    if (repeatPenalty === 1)
      this.#penalties.set(token, (this.#penalties.get(token) ?? -presencePenalty) - frequencyPenalty)
  }

  /** What is added to the logits for the next token. */
  #createShape(): Shape {
    const { frequencyPenalty = 0, presencePenalty = 0, repeatPenalty = 1 } = this.#settings
    const sums = new Map(this.#penalties)
    for (const [token, bias] of this.#biases) sums.set(token, (sums.get(token) ?? 0) + bias)
    const biases = sums.size > 0 && {
      tokenBiasKeys: Uint32Array.from(sums.keys()),
      tokenBiasValues: Float32Array.from(sums.values()),
    }
    if (repeatPenalty === 1) return { ...biases }
    return {
      ...biases,
      repeatPenalty,
      // As large as a slot, so that it holds all drawn tokens.
      repeatPenaltyMaxTokens: this.#native.contextLength,
      repeatPenaltyTokens: Uint32Array.from(this.#drawn),
      repeatPenaltyFrequencyPenalty: frequencyPenalty,
      repeatPenaltyPresencePenalty: presencePenalty,
    }
  }

  #createBiases(isConstrained: boolean, banned: readonly Token[]): Map<Token, number> {
    const { vocabulary } = this.#native
    const biases = new Map<Token, number>()
    for (const [id, bias] of Object.entries(this.#settings.logitBias ?? {})) {
      const token = Number(id)
      // If a grammar decides when the text is complete, a ban on end tokens would only prevent it from ending.
      if (token < vocabulary.size && !(isConstrained && bias < 0 && vocabulary.isEnd(token)))
        biases.set(token, bias <= -100 ? Number.NEGATIVE_INFINITY : bias)
    }
    for (const token of banned) biases.set(token, Number.NEGATIVE_INFINITY)
    return biases
  }
}

function tooIntricate(): EngineError {
  return new EngineError('failed', 'The schema is too complex to enforce: a text can match it in too many ways')
}

/** The library's default seed is the current second: choices that start together would be identical. */
export function randomSeed(): number {
  return randomInt(2 ** 32)
}
