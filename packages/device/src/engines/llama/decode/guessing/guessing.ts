// Guesses what comes next, and evaluates the guesses in the same decode: as long as each token that is drawn is the one that was guessed,
// the distribution after it is there already. No draw changes, and there are only guesses if they make all streams faster together.

import type { GuessMode } from '../../llama-options.ts'
import type { DraftModel, Token } from '../../native/native.ts'
import { Drafting, type DraftedStream } from '../drafting/drafting.ts'
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
  /** A small model that guesses too. */
  draft?: DraftModel | undefined
  onDraftFailure?: ((error: unknown) => void) | undefined
  now: () => number
}

/** A stream: the evaluated tokens, and the one that was drawn last. */
export interface Stream extends DraftedStream {
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
/** Before so many steps were measured, nobody knows what a draft saves. */
const FIRST_STEPS = 3

export class Guessing {
  readonly #options: GuessOptions
  readonly #cost: StepCost
  readonly #odds = new Odds()
  readonly #steady = new SteadyCount()
  readonly #drafting: Drafting | undefined
  #drawMs = 0
  #measured = 0
  #repeated = { tokens: 0, times: 0 }

  constructor(options: GuessOptions) {
    const { gpu, mode, draft, now, onDraftFailure: onFailure = () => undefined } = options
    this.#options = options
    this.#cost = createStepCost(gpu)
    this.#drafting = draft && mode !== 'never' ? new Drafting(draft, { gpu, mode, now, onFailure }) : undefined
  }

  createStream(): StreamGuesses {
    return new StreamGuesses(this.#odds)
  }

  /** The guesses of each stream for a step that has these streams and nothing else. */
  async guess(streams: readonly Stream[]): Promise<(readonly Token[])[]> {
    const counts = this.#counts(streams)
    if (counts.length <= 1) return streams.map(() => [])
    const copied = streams.map(({ tokens, last, forced, guesses }) =>
      guesses.foresee(tokens, last, forced(), counts.at(-1)!),
    )
    await this.#draft(streams, copied, counts)
    const odds = streams.map(({ drafts }, index) => (drafts.count > 0 ? drafts.odds : copied[index]!))
    const count = this.#choose(offersOf(odds, counts), streams.length)
    return streams.map(({ last, guesses, drafts }) =>
      fill((drafts.count > 0 ? drafts : guesses).take(count), count, last),
    )
  }

  learn({ tokens, decodeMs, drawn, drawMs }: StepTimes): void {
    const times = tokens === this.#repeated.tokens ? this.#repeated.times + 1 : 1
    this.#repeated = { tokens, times }
    if (this.#options.gpu === false || times > RECORDED_AFTER) {
      this.#measured++
      this.#cost.learn(tokens, decodeMs)
    }
    this.#drafting?.onStep(decodeMs + drawMs)
    this.#drawMs += (drawMs / drawn - this.#drawMs) * NEWEST
  }

  dispose(): void {
    this.#drafting?.dispose()
  }

  /** A copy of the past costs nothing, so a draft has to be right more often. */
  async #draft(streams: readonly Stream[], copied: readonly (readonly number[])[], counts: number[]): Promise<void> {
    for (const { drafts } of streams) drafts.clear()
    const drafting = this.#drafting
    if (drafting === undefined || this.#measured < FIRST_STEPS) return
    const others = streams.filter((stream, index) => (copied[index]![0] ?? 0) < drafting.averageOf(stream))
    const stepOf = (tokens: number): number => this.#cost.of(tokens)
    await drafting.draft(others, { streams: streams.length, counts, stepOf, drawMs: this.#drawMs })
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
