// Draws with a temperature, mostly from the likeliest part of the vocabulary (see cut.ts): drawing from all of it takes several times as long.

import type { Native, NativeSampler, SamplerConfig, Token } from '../../native/native.ts'
import { MAX_ASK, MAX_HEAD, askProbability, headThreshold, tailProbability } from './cut.ts'
import { createSampler } from './create-sampler.ts'
import { seededRandom, type Random } from './seeded-random.ts'
import { TailDraw } from './tail-draw.ts'

export interface Draw {
  /** -1 if there is nothing to draw from. */
  draw(at: number): Promise<Token>
  /** `at` is likely drawn from soon. What doesn't depend on earlier draws can begin. */
  prepare?(at: number): void
  /** Resolves when nothing that was prepared is still being read. Undefined if there is nothing. */
  settle?(): Promise<void> | undefined
  dispose(): void
}

/** Weighing the tokens takes longer than drawing one of them, so only one of this many draws does it if it has the choice. */
const WEIGH_EVERY = 32

export type Biases = Pick<SamplerConfig, 'tokenBiasKeys' | 'tokenBiasValues'>

export class CutDraw implements Draw {
  readonly #native: Native
  readonly #temperature: number
  readonly #biases: Biases
  readonly #seed: number
  readonly #random: Random
  #isCut = true
  #draws = 0
  #head: NativeSampler
  readonly #tail: TailDraw

  constructor(native: Native, temperature: number, biases: Biases, seed: number, random = seededRandom(seed)) {
    this.#native = native
    this.#temperature = temperature
    this.#biases = biases
    this.#seed = seed
    this.#random = random
    this.#tail = new TailDraw(native, temperature)
    const minP = headThreshold(native.vocabulary.size, temperature)
    this.#head = createSampler(native, { temperature, minP, seed, ...biases })
  }

  draw(at: number): Promise<Token> {
    const chance = this.#isCut ? this.#random() : 1
    const isWeighed = this.#isCut && (chance < MAX_ASK || this.#draws++ % WEIGH_EVERY === 0)
    return isWeighed ? this.#weigh(at, chance) : this.#native.context.sampleToken(at, this.#head)
  }

  dispose(): void {
    this.#head.dispose()
    this.#tail.dispose()
  }

  async #weigh(at: number, chance: number): Promise<Token> {
    const { context } = this.#native
    const [token, , , , weight = Number.NaN] = await context.sampleToken(at, this.#head, false, false, false, true)
    if (!(weight < MAX_HEAD)) this.#stopCutting(Number.isNaN(weight))
    else if (chance < askProbability(weight)) return this.#drawBetween(token, weight, at)
    return token
  }

  /** Logits that are not numbers have no order: sorting them would be useless. */
  #stopCutting(isBroken: boolean): void {
    const temperature = isBroken ? 0 : this.#temperature
    this.#isCut = false
    this.#head.dispose()
    this.#head = createSampler(this.#native, { temperature, seed: this.#seed, ...this.#biases })
  }

  /** Decides between a token of the head and one of the tail. */
  async #drawBetween(token: Token, headWeight: number, at: number): Promise<Token> {
    const tail = await this.#drawTail(at)
    return this.#random() < tailProbability(headWeight, tail.weight) ? tail.token : token
  }

  async #drawTail(at: number): Promise<{ token: Token; weight: number }> {
    const [, , , head] = await this.#native.context.sampleToken(at, this.#head, false, false, true, false)
    const tokens = head.filter((_, index) => index % 2 === 0)
    const { token, logWeight } = await this.#tail.draw(at, tokens, this.#biases, this.#random() * 2 ** 32)
    // The library returns the logits of the head as they are after the temperature.
    return { token, weight: Math.exp(logWeight - head[1]!) }
  }
}
