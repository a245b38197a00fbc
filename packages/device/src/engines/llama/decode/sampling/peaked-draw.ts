// Draws from a few of the likeliest tokens, where their logits prove that all others together weigh next to nothing: mostly where the next
// token could be guessed. That takes a third of the time of a cut (see cut-draw.ts). And finding them doesn't depend on what is drawn before,
// so it can be done ahead for several places at once.

import type { Native, NativeSampler, Token } from '../../native/native.ts'
import { createSampler } from './create-sampler.ts'
import type { Biases, Draw } from './cut-draw.ts'
import { MAX_TAIL, askProbability, drawWeighted, sumOf, tailProbability } from './cut.ts'
import { LIKELIEST } from './nucleus-draw.ts'
import { seededRandom, type Random } from './seeded-random.ts'
import { TailDraw } from './tail-draw.ts'

/** Places that are prepared at the same time need a sampler each. */
export const PLACES_AHEAD = 3
/** Below this share of draws that succeed, it is faster to draw otherwise at once. */
const LEAST_SUCCESS = 0.6
/** Weight of the newest draw in that share. */
const NEWEST = 0.1
/** After so many draws without a try, there is another one. */
const TRY_EVERY = 16

/** Neither the other draw nor one with a grammar, which may follow, uses the same random numbers. */
const OWN_NUMBERS = 0x2c1b3c6d

/** Tokens and their logits in turn, the likeliest first. */
type Likeliest = readonly number[]

export class PeakedDraw implements Draw {
  readonly #native: Native
  readonly #temperature: number
  readonly #biases: Biases
  readonly #random: Random
  readonly #otherwise: Draw
  readonly #tail: TailDraw
  readonly #free: NativeSampler[] = []
  readonly #prepared = new Map<number, Promise<Likeliest>>()
  #success = LEAST_SUCCESS
  #untried = 0

  constructor(
    native: Native,
    temperature: number,
    biases: Biases,
    seed: number,
    otherwise: Draw,
    random = seededRandom(seed ^ OWN_NUMBERS),
  ) {
    this.#native = native
    this.#temperature = temperature
    this.#biases = biases
    this.#random = random
    this.#otherwise = otherwise
    this.#tail = new TailDraw(native, temperature)
  }

  prepare(at: number): void {
    if (this.#success >= LEAST_SUCCESS && !this.#prepared.has(at)) this.#prepared.set(at, this.#find(at))
  }

  settle(): Promise<void> | undefined {
    if (this.#prepared.size === 0) return undefined
    const finding = [...this.#prepared.values()]
    this.#prepared.clear()
    return Promise.allSettled(finding).then(() => undefined)
  }

  async draw(at: number): Promise<Token> {
    const finding = this.#prepared.get(at) ?? (this.#isWorthATry() ? this.#find(at) : undefined)
    this.#prepared.delete(at)
    const token = finding && (await this.#drawFrom(await finding, at))
    if (finding !== undefined) this.#success += (Number(token !== undefined) - this.#success) * NEWEST
    return token ?? this.#otherwise.draw(at)
  }

  dispose(): void {
    for (const sampler of this.#free) sampler.dispose()
    this.#tail.dispose()
    this.#otherwise.dispose()
  }

  #isWorthATry(): boolean {
    const isWorth = this.#success >= LEAST_SUCCESS || ++this.#untried >= TRY_EVERY
    if (isWorth) this.#untried = 0
    return isWorth
  }

  async #find(at: number): Promise<Likeliest> {
    const config = { temperature: 1, topK: LIKELIEST, seed: 0, ...this.#biases }
    const sampler = this.#free.pop() ?? createSampler(this.#native, config)
    try {
      const [, , , likeliest] = await this.#native.context.sampleToken(at, sampler, false, false, true, false)
      return likeliest
    } finally {
      this.#free.push(sampler)
    }
  }

  /** Undefined if the other tokens could weigh too much. Whether they do doesn't depend on what is drawn, so it changes no share. */
  #drawFrom(likeliest: Likeliest, at: number): Token | Promise<Token> | undefined {
    const weights = this.#weigh(likeliest)
    const rest = (this.#native.vocabulary.size - weights.length) * weights.at(-1)!
    if (!(rest <= MAX_TAIL)) return undefined
    const drawn = likeliest[2 * drawWeighted(weights, this.#random())!]!
    const isAsked = this.#random() < askProbability(sumOf(weights), rest)
    return isAsked ? this.#drawBetween(drawn, likeliest, rest, at) : drawn
  }

  /** At the temperature. The likeliest token weighs 1. */
  #weigh(likeliest: Likeliest): number[] {
    const weights: number[] = []
    for (let index = 1; index < likeliest.length; index += 2)
      weights.push(Math.exp((likeliest[index]! - likeliest[1]!) / this.#temperature))
    return weights
  }

  async #drawBetween(drawn: Token, likeliest: Likeliest, rest: number, at: number): Promise<Token> {
    const tokens = likeliest.filter((_, index) => index % 2 === 0)
    const tail = await this.#tail.draw(at, tokens, this.#biases, this.#random() * 2 ** 32)
    const weight = Math.exp(tail.logWeight - likeliest[1]! / this.#temperature)
    const chance = tailProbability(sumOf(this.#weigh(likeliest)), weight, rest)
    return this.#random() < chance ? tail.token : drawn
  }
}
