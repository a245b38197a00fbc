// Draws from the likeliest tokens: those that top_p, top_k and min_p keep. The library sorts the whole vocabulary for that. Here it only finds
// the first few and, if it matters, the weight of all tokens, which says how many of them top_p keeps. If more than those are kept, it finds
// more, and only if even those are too few, the library has to do it after all.

import type { Native, NativeSampler, Token } from '../../native/native.ts'
import { countKept, drawIndex, sumOf, type Cuts } from './cut.ts'
import type { Biases, Draw } from './cut-draw.ts'
import { createSampler } from './create-sampler.ts'
import { seededRandom, type Random } from './seeded-random.ts'

/** The native sampler finds this many with hardly any sorting. */
export const LIKELIEST = 64

/** Finding them takes a sixth of the time of sorting 49,152 tokens, and flat distributions rarely keep more with top_p 0.95. */
const LIKELY = 1024

export interface NucleusSettings extends Cuts {
  temperature: number
}

export class NucleusDraw implements Draw {
  readonly #native: Native
  readonly #settings: NucleusSettings
  readonly #biases: Biases
  readonly #seed: number
  readonly #random: Random
  /** By how many tokens they find. One takes as much memory as the vocabulary, so each is made when it is needed. */
  readonly #likeliest = new Map<number, NativeSampler>()
  readonly #weight: NativeSampler
  #whole: NativeSampler | undefined

  constructor(native: Native, settings: NucleusSettings, biases: Biases, seed: number) {
    this.#native = native
    this.#settings = settings
    this.#biases = biases
    this.#seed = seed
    this.#random = seededRandom(seed)
    this.#weight = createSampler(native, { temperature: 0, ...biases })
  }

  async draw(at: number): Promise<Token> {
    const weighing = this.#weigh(at)
    for (const most of [LIKELIEST, LIKELY]) {
      const [likeliest, weight] = await Promise.all([this.#list(at, most), weighing])
      const logits = likeliest.filter((_, index) => index % 2 === 1)
      const count = countKept(logits, this.#settings, weight)
      if (count !== undefined)
        return likeliest[2 * drawIndex(logits.slice(0, count), this.#settings.temperature, this.#random())]!
      if (!this.#mayReach(logits, weight)) break
    }
    return this.#native.context.sampleToken(at, this.#getWhole())
  }

  dispose(): void {
    for (const sampler of [...this.#likeliest.values(), this.#weight, this.#whole]) sampler?.dispose()
  }

  /** Whether the likely tokens can be all that top_p keeps: none of those that follow is likelier than the last of these. */
  #mayReach(sorted: readonly number[], weight: number): boolean {
    const [highest = 0] = sorted
    const weights = sorted.map((logit) => Math.exp(logit - highest))
    const most = sumOf(weights) + (LIKELY - sorted.length) * weights.at(-1)!
    return !(most < (this.#settings.topP ?? 1) * weight)
  }

  /** Tokens and their logits, in turn. */
  async #list(at: number, most: number): Promise<number[]> {
    const sampler = this.#likeliest.getOrInsertComputed(most, () =>
      createSampler(this.#native, { temperature: 1, topK: most, seed: this.#seed, ...this.#biases }),
    )
    const [, , , likeliest] = await this.#native.context.sampleToken(at, sampler, false, false, true, false)
    return likeliest
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
