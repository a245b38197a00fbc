// Draws with top_p. The library sorts the whole vocabulary for that. Here it only finds the likeliest tokens and, at the same time, the
// weight of all tokens, which says how many of them top_p keeps. If it keeps more than those, the library has to do it after all.

import type { Native, NativeSampler, Token } from '../../native/native.ts'
import { countNucleus, drawIndex } from './cut.ts'
import type { Biases, Draw } from './cut-draw.ts'
import { createSampler } from './create-sampler.ts'
import { seededRandom, type Random } from './seeded-random.ts'

/** The native sampler finds this many with hardly any sorting. */
const LIKELIEST = 64

export interface NucleusSettings {
  temperature: number
  topP: number
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
    const [[, , , likeliest], [, , , , weight = Number.NaN]] = await Promise.all([
      context.sampleToken(at, this.#likeliest, false, false, true, false),
      context.sampleToken(at, this.#weight, false, false, false, true),
    ])
    const logits = likeliest.filter((_, index) => index % 2 === 1)
    const count = countNucleus(logits, weight, this.#settings.topP)
    if (count === undefined) return context.sampleToken(at, this.#getWhole())
    return likeliest[2 * drawIndex(logits.slice(0, count), this.#settings.temperature, this.#random())]!
  }

  dispose(): void {
    for (const sampler of [this.#likeliest, this.#weight, this.#whole]) sampler?.dispose()
  }

  #getWhole(): NativeSampler {
    this.#whole ??= createSampler(this.#native, { ...this.#settings, seed: this.#seed, ...this.#biases })
    return this.#whole
  }
}
