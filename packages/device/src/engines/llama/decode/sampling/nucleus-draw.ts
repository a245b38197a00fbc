// Draws from the likeliest tokens: those that top_p, top_k and min_p keep. The library sorts the whole vocabulary for that. Here it only finds
// the first few and, if it matters, the weight of all tokens, which says how many of them top_p keeps. If more than those are kept, the
// library has to do it after all.

import type { Native, NativeSampler, Token } from '../../native/native.ts'
import { countKept, drawIndex, type Cuts } from './cut.ts'
import type { Biases, Draw } from './cut-draw.ts'
import { createSampler } from './create-sampler.ts'
import { seededRandom, type Random } from './seeded-random.ts'

/** The native sampler finds this many with hardly any sorting. */
export const LIKELIEST = 64

export interface NucleusSettings extends Cuts {
  temperature: number
}

export class NucleusDraw implements Draw {
  readonly #native: Native
  readonly #settings: NucleusSettings
  readonly #biases: Biases
  readonly #seed: number
  readonly #random: Random
  readonly #likeliest: NativeSampler
  readonly #weight: NativeSampler
  #whole: NativeSampler | undefined

  constructor(native: Native, settings: NucleusSettings, biases: Biases, seed: number) {
    this.#native = native
    this.#settings = settings
    this.#biases = biases
    this.#seed = seed
    this.#random = seededRandom(seed)
    this.#likeliest = createSampler(native, { temperature: 1, topK: LIKELIEST, seed, ...biases })
    this.#weight = createSampler(native, { temperature: 0, ...biases })
  }

  async draw(at: number): Promise<Token> {
    const { context } = this.#native
    const [[, , , likeliest], weight] = await Promise.all([
      context.sampleToken(at, this.#likeliest, false, false, true, false),
      this.#weigh(at),
    ])
    const logits = likeliest.filter((_, index) => index % 2 === 1)
    const count = countKept(logits, this.#settings, weight)
    if (count === undefined) return context.sampleToken(at, this.#getWhole())
    return likeliest[2 * drawIndex(logits.slice(0, count), this.#settings.temperature, this.#random())]!
  }

  dispose(): void {
    for (const sampler of [this.#likeliest, this.#weight, this.#whole]) sampler?.dispose()
  }

  async #weigh(at: number): Promise<number> {
    const { topK = Number.POSITIVE_INFINITY, topP = 1 } = this.#settings
    if (topK <= LIKELIEST || topP === 1) return Number.NaN
    const { context } = this.#native
    const [, , , , weight = Number.NaN] = await context.sampleToken(at, this.#weight, false, false, false, true)
    return weight
  }

  #getWhole(): NativeSampler {
    this.#whole ??= createSampler(this.#native, { ...this.#settings, seed: this.#seed, ...this.#biases })
    return this.#whole
  }
}
