// Draws with a temperature, mostly from the likeliest part of the vocabulary (see cut.ts): drawing from all of it takes several times as long.

import type { Native, NativeSampler, SamplerConfig, Token } from '../../native/native.ts'
import { MAX_ASK, MAX_HEAD, askProbability, headThreshold, tailProbability } from './cut.ts'
import { createSampler } from './create-sampler.ts'
import { seededRandom, type Random } from './seeded-random.ts'

/** -1 if there is nothing to draw from. */
export interface Draw {
  draw(at: number): Promise<Token>
  dispose(): void
}

/** Weighing the tokens takes longer than drawing one of them, so only one of this many draws does it if it has the choice. */
const WEIGH_EVERY = 32

export type Biases = Pick<SamplerConfig, 'tokenBiasKeys' | 'tokenBiasValues'>

interface TailSamplers {
  drawing: NativeSampler
  likeliest: NativeSampler
}

export class CutDraw implements Draw {
  readonly #native: Native
  readonly #temperature: number
  readonly #biases: Biases
  readonly #seed: number
  readonly #random: Random
  #isCut = true
  #draws = 0
  #head: NativeSampler
  #tail: TailSamplers | undefined

  constructor(native: Native, temperature: number, biases: Biases, seed: number, random = seededRandom(seed)) {
    this.#native = native
    this.#temperature = temperature
    this.#biases = biases
    this.#seed = seed
    this.#random = random
    const minP = headThreshold(native.vocabulary.size, temperature)
    this.#head = createSampler(native, { temperature, minP, seed, ...biases })
  }

  draw(at: number): Promise<Token> {
    const chance = this.#isCut ? this.#random() : 1
    const isWeighed = this.#isCut && (chance < MAX_ASK || this.#draws++ % WEIGH_EVERY === 0)
    return isWeighed ? this.#weigh(at, chance) : this.#native.context.sampleToken(at, this.#head)
  }

  dispose(): void {
    for (const sampler of [this.#head, this.#tail?.drawing, this.#tail?.likeliest]) sampler?.dispose()
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
    const { context } = this.#native
    const [, , , head] = await context.sampleToken(at, this.#head, false, false, true, false)
    const { drawing, likeliest } = this.#excluding(head)
    const [[token, , , , weight = 0], [, , , [, logit = Number.NEGATIVE_INFINITY]]] = await Promise.all([
      context.sampleToken(at, drawing, false, false, false, true),
      context.sampleToken(at, likeliest, false, false, [[], false, false, true, 0], false),
    ])
    const scale = Math.exp(logit / this.#temperature - head[1]!)
    return { token, weight: scale > 0 ? scale * weight : 0 }
  }

  /** Samplers that see only the tail. A new one takes longer than a draw, because it is as large as the vocabulary. */
  #excluding(head: readonly number[]): TailSamplers {
    const { tokenBiasKeys = [], tokenBiasValues = [] } = this.#biases
    const count = head.length / 2
    const keys = new Uint32Array(count + tokenBiasKeys.length)
    const values = new Float32Array(keys.length).fill(Number.NEGATIVE_INFINITY)
    for (let index = 0; index < count; index++) keys[index] = head[2 * index]!
    keys.set(tokenBiasKeys, count)
    values.set(tokenBiasValues, count)
    this.#tail ??= { drawing: this.#native.createSampler(), likeliest: this.#native.createSampler() }
    const biases = { tokenBiasKeys: keys, tokenBiasValues: values }
    this.#tail.drawing.applyConfig({ temperature: this.#temperature, seed: this.#random() * 2 ** 32, ...biases })
    this.#tail.likeliest.applyConfig({ temperature: 0, ...biases })
    return this.#tail
  }
}
