// Guesses what comes next, and evaluates the guesses in the same decode: as long as each token that is drawn is the one that was guessed,
// the distribution after it is there already. No draw changes, and there are only guesses if they make all streams faster together.

import type { GuessMode } from '../../llama-options.ts'
import type { Token } from '../../native/native.ts'
import { Odds } from './odds.ts'
import { offersOf, type Offer } from './offers.ts'
import { SteadyCount } from './steady-count.ts'
import { createStepCost, type StepCost } from './step-cost.ts'
import { MOST_GUESSES, StreamGuesses } from './stream-guesses.ts'

export interface GuessOptions {
  gpu: string | false
  /** Tokens per slot. */
  contextLength: number
  mode: GuessMode
}

export interface Stream {
  /** The evaluated tokens, and the one that was drawn last. */
  readonly tokens: readonly Token[]
  readonly last: Token
  /** Tokens that likely follow, because a grammar leaves no choice. */
  readonly forced: () => readonly Token[]
  readonly guesses: StreamGuesses
}

/** A step that had streams and nothing else. */
export interface StepTimes {
  tokens: number
  decodeMs: number
  /** The most that were drawn for one stream, one after the other. */
  drawn: number
  drawMs: number
}

/** On a CPU, 64 tokens or more go through another kernel, which rounds differently. */
const MOST_TOKENS = { cpu: 63, gpu: 128 }
/** A GPU has few sizes of steps, so that they come again. */
const GPU_COUNTS = [0, 1, 3, 7, 15, 23]
const CPU_COUNTS = Array.from({ length: MOST_GUESSES + 1 }, (_, count) => count)
/** After so many steps of the same size, a GPU plays back what it recorded. */
const RECORDED_AFTER = 3
/** Weight of the newest step in the time that it takes to draw a token. */
const NEWEST = 0.1

export class Guessing {
  readonly #options: GuessOptions
  readonly #cost: StepCost
  readonly #odds = new Odds()
  readonly #steady = new SteadyCount()
  #drawMs = 0
  #repeated = { tokens: 0, times: 0 }

  constructor(options: GuessOptions) {
    this.#options = options
    this.#cost = createStepCost(options.gpu)
  }

  createStream(): StreamGuesses {
    return new StreamGuesses(this.#odds)
  }

  /** The guesses of each stream for a step that has these streams and nothing else. */
  guess(streams: readonly Stream[]): (readonly Token[])[] {
    const counts = this.#counts(streams)
    if (counts.length <= 1) return streams.map(() => [])
    const offers = offersOf(
      streams.map(({ tokens, last, forced, guesses }) => guesses.foresee(tokens, last, forced(), counts.at(-1)!)),
      counts,
    )
    const count = this.#choose(offers, streams.length)
    return streams.map(({ last, guesses }) => fill(guesses.take(count), count, last))
  }

  learn({ tokens, decodeMs, drawn, drawMs }: StepTimes): void {
    const times = tokens === this.#repeated.tokens ? this.#repeated.times + 1 : 1
    this.#repeated = { tokens, times }
    if (this.#options.gpu === false || times > RECORDED_AFTER) this.#cost.learn(tokens, decodeMs)
    this.#drawMs += (drawMs / drawn - this.#drawMs) * NEWEST
  }

  /** How many guesses each stream may add. */
  #counts(streams: readonly Stream[]): number[] {
    const { gpu, mode, contextLength } = this.#options
    if (mode === 'never') return []
    const room = Math.min(...streams.map(({ tokens }) => contextLength - tokens.length - 1))
    const share = Math.floor((gpu === false ? MOST_TOKENS.cpu : MOST_TOKENS.gpu) / streams.length) - 1
    return (gpu === false ? CPU_COUNTS : GPU_COUNTS).filter((count) => count <= Math.min(room, share))
  }

  #choose(offers: readonly Offer[], streams: number): number {
    const { gpu, mode } = this.#options
    const rateOf = ({ guesses, gained, most }: Offer) =>
      (streams * gained) / (this.#cost.of(streams * (1 + guesses)) + this.#drawMs * most)
    if (mode === 'always') return bestOf(offers, ({ gained }) => gained)
    return gpu === false ? bestOf(offers, rateOf) : this.#steady.choose(offers, rateOf)
  }
}

/** Where a stream has fewer guesses than others, any token will do. */
function fill(guesses: readonly Token[], count: number, filler: Token): Token[] {
  return Array.from({ length: count }, (_, index) => guesses[index] ?? filler)
}

/** The fewest guesses with the best rate. */
function bestOf(offers: readonly Offer[], rateOf: (offer: Offer) => number): number {
  const rates = offers.map(rateOf)
  return offers[rates.indexOf(Math.max(...rates))]!.guesses
}
