// Draws with a temperature, mostly from the likeliest part of the vocabulary (see cut.ts): drawing from all of it takes several times as long.

import type { Native, Token } from '../../native/native.ts'
import { MAX_ASK, MAX_HEAD, askProbability, headThreshold, tailProbability } from './cut.ts'
import { seededRandom, type Random } from './seeded-random.ts'
import { ShapedSampler, type Shape } from './shaped-sampler.ts'
import { TailDraw } from './tail-draw.ts'

export interface Draw {
  /** -1 if there is nothing to draw from. */
  draw(at: number): Promise<Token>
  dispose(): void
}

/** Weighing the tokens takes longer than drawing one of them, so only one of this many draws does it if it has the choice. */
const WEIGH_EVERY = 32

export class CutDraw implements Draw {
  readonly #native: Native
  readonly #temperature: number
  readonly #shape: () => Shape
  readonly #seed: number
  readonly #random: Random
  #isCut = true
  #draws = 0
  #head: ShapedSampler
  readonly #tail: TailDraw

  constructor(native: Native, temperature: number, shape: () => Shape, seed: number, random = seededRandom(seed)) {
    this.#native = native
    this.#temperature = temperature
    this.#shape = shape
    this.#seed = seed
    this.#random = random
    this.#tail = new TailDraw(native, temperature)
    this.#head = new ShapedSampler(native, {
      temperature,
      minP: headThreshold(native.vocabulary.size, temperature),
      seed,
    })
  }

  draw(at: number): Promise<Token> {
    const chance = this.#isCut ? this.#random() : 1
    const isWeighed = this.#isCut && (chance < MAX_ASK || this.#draws++ % WEIGH_EVERY === 0)
    const shape = this.#shape()
    return isWeighed ? this.#weigh(at, chance, shape) : this.#native.context.sampleToken(at, this.#head.with(shape))
  }

  dispose(): void {
    this.#head.dispose()
    this.#tail.dispose()
  }

  async #weigh(at: number, chance: number, shape: Shape): Promise<Token> {
    const { context } = this.#native
    const head = this.#head.with(shape)
    const [token, , , , weight = Number.NaN] = await context.sampleToken(at, head, false, false, false, true)
    if (!(weight < MAX_HEAD)) this.#stopCutting(Number.isNaN(weight))
    else if (chance < askProbability(weight)) return this.#drawBetween(token, weight, at, shape)
    return token
  }

  /** Logits that are not numbers have no order: sorting them would be useless. */
  #stopCutting(isBroken: boolean): void {
    const temperature = isBroken ? 0 : this.#temperature
    this.#isCut = false
    this.#head.dispose()
    this.#head = new ShapedSampler(this.#native, { temperature, seed: this.#seed })
  }

  /** Decides between a token of the head and one of the tail. */
  async #drawBetween(token: Token, headWeight: number, at: number, shape: Shape): Promise<Token> {
    const tail = await this.#drawTail(at, shape)
    return this.#random() < tailProbability(headWeight, tail.weight) ? tail.token : token
  }

  async #drawTail(at: number, shape: Shape): Promise<{ token: Token; weight: number }> {
    const [, , , head] = await this.#native.context.sampleToken(at, this.#head.with(shape), false, false, true, false)
    const tokens = head.filter((_, index) => index % 2 === 0)
    const { token, logWeight } = await this.#tail.draw(at, tokens, shape, this.#random() * 2 ** 32)
    // The library returns the logits of the head as they are after the temperature.
    return { token, weight: Math.exp(logWeight - head[1]!) }
  }
}
