// Guesses what comes next, and evaluates the guesses in the same decode: as long as each token that is drawn is the one that was guessed,
// the distribution after it is there already. No draw changes, and there are only guesses if they make all streams faster together.

import type { EngineScope } from '../../../engine.ts'
import type { GuessMode } from '../../llama-options.ts'
import type { Token } from '../../native/native.ts'
import { exactSize, MOST_EXACT, type ExactSizes } from '../../native/exact-sizes.ts'
import { EarlierReplies } from './earlier-replies.ts'
import { Odds } from './odds.ts'
import { offersOf, type Offer } from './offers.ts'
import { createStepCost, type StepCost } from './step-cost.ts'
import { StreamGuesses } from './stream-guesses.ts'

export interface GuessOptions {
  gpu: string | false
  /** Tokens per slot. */
  contextLength: number
  exactSizes: ExactSizes
  mode: GuessMode
}

/** A stream: the evaluated tokens, and the one that was drawn last. */
export interface Stream {
  /** The tokens that the model has evaluated, and the next one. */
  readonly tokens: readonly Token[]
  readonly last: Token
  /** Whether the same prompt has to give the same numbers each time. */
  readonly isRepeatable: boolean
  /** Tokens that likely follow, because a grammar leaves no choice. */
  readonly forced: () => readonly Token[]
  readonly guesses: StreamGuesses
}

/** A step that had streams and nothing else. */
export interface StepTimes {
  streams: number
  /** With those that were guessed. */
  tokens: number
  decodeMs: number
  /** The most that were drawn for one stream, one after the other. */
  drawn: number
  drawMs: number
}

/** On a CPU, more would take another kernel of attention. */
const MOST_TOKENS = { cpu: MOST_EXACT, gpu: 128 }
/** A GPU has few sizes, so that they come again. */
const GPU_COUNTS = [0, 1, 3, 7, 15, 23, 31, 47]
/** On a CPU, a guess further ahead is rarely worth it, even for a long copy. */
const CPU_COUNTS = Array.from({ length: 25 }, (_, count) => count)
/** A GPU plays back a step that has the same size as the one before. Another size takes longer, by this share of a step without guesses. */
const CHANGE = 0.2
/** Weight of the newest step in the time that it takes to draw a token. */
const NEWEST = 0.1

export class Guessing {
  readonly #options: GuessOptions
  readonly #cost: StepCost
  readonly #odds = new Odds()
  readonly #earlier = new EarlierReplies()
  #drawMs = 0
  #lastTokens = 0

  constructor(options: GuessOptions) {
    this.#options = options
    this.#cost = createStepCost(options.gpu)
  }

  createStream(scope?: EngineScope): StreamGuesses {
    return new StreamGuesses(this.#odds, this.#earlier.of(scope))
  }

  /** A reply has ended. `tokens` are its prompt, of this length, and the reply. */
  remember(scope: EngineScope | undefined, tokens: readonly Token[], promptLength: number): void {
    if (this.#options.mode !== 'never') this.#earlier.add(scope, tokens, promptLength)
  }

  /** The guesses of each stream for a step that has these streams and nothing else. */
  guess(streams: readonly Stream[]): (readonly Token[])[] {
    const counts = this.#counts(streams)
    if (counts.length <= 1) return streams.map(() => [])
    const odds = streams.map(({ tokens, last, forced, guesses }) =>
      guesses.foresee(tokens, last, forced(), counts.at(-1)!),
    )
    if (odds.every(({ length }) => length === 0)) return streams.map(() => [])
    const count = this.#choose(offersOf(odds, counts), streams.length)
    return streams.map(({ last, guesses }) => fill(guesses.take(count), count, last))
  }

  learn({ streams, tokens, decodeMs, drawn, drawMs }: StepTimes): void {
    this.#cost.learn(tokens, Math.max(0, decodeMs - this.#changeMs(tokens, streams)))
    this.#lastTokens = tokens
    this.#drawMs += (drawMs / drawn - this.#drawMs) * NEWEST
  }

  /** How many guesses each stream may add. */
  #counts(streams: readonly Stream[]): readonly number[] {
    const { gpu, mode, contextLength } = this.#options
    if (mode === 'never') return []
    const room = Math.min(...streams.map(({ tokens }) => contextLength - tokens.length - 1))
    const share = Math.floor(this.#mostTokens(streams) / streams.length) - 1
    const [counts, most] = [gpu === false ? CPU_COUNTS : GPU_COUNTS, Math.min(room, share)]
    return most >= counts.at(-1)! ? counts : counts.filter((count) => count <= most)
  }

  /** Guesses don't change the numbers of a stream that has to be repeatable, unless those beside it have changed them already. */
  #mostTokens(streams: readonly Stream[]): number {
    const { gpu, exactSizes } = this.#options
    if (gpu !== false) return MOST_TOKENS.gpu
    const bounds = streams.flatMap(({ isRepeatable, tokens }) =>
      isRepeatable ? [exactSize(exactSizes, tokens.length)] : [],
    )
    const exact = Math.min(...bounds)
    return streams.length > exact ? MOST_TOKENS.cpu : Math.min(exact, MOST_TOKENS.cpu)
  }

  #choose(offers: readonly Offer[], streams: number): number {
    if (this.#options.mode === 'always') return bestOf(offers, ({ gained }) => gained)
    return bestOf(offers, ({ guesses, gained, most }) => {
      const tokens = streams * (1 + guesses)
      // Guesses pay for the way back to a step without them, too. Otherwise, there would be guesses only because there were some before.
      const changeMs = guesses === 0 ? 0 : 2 * this.#changeMs(tokens, streams)
      return (streams * gained) / (this.#cost.of(tokens) + changeMs + this.#drawMs * most)
    })
  }

  #changeMs(tokens: number, streams: number): number {
    const isChanged = this.#options.gpu !== false && tokens !== this.#lastTokens
    return isChanged ? CHANGE * this.#cost.of(streams) : 0
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
