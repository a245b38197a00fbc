// Guesses what comes next, and evaluates the guesses in the same decode: as long as each token that is drawn is the one that was guessed,
// the distribution after it is there already. No draw changes, and streams only get guesses that make all of them faster together.

import type { GuessMode } from '../../llama-options.ts'
import type { DraftModel, Token } from '../../native/native.ts'
import { Drafting, type DraftedStream } from '../drafting/drafting.ts'
import type { StreamGuesses } from './stream-guesses.ts'
import { chooseCounts, type Hopes } from './choose-counts.ts'
import { createStepCost, type StepCost } from './step-cost.ts'

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
  readonly guesses: StreamGuesses
}

/** On a CPU, 64 tokens or more go through another kernel, which rounds differently. */
const MOST_TOKENS = 63
/** Before so many steps, nobody knows what a guess saves. */
const FIRST_STEPS = 3

export class Guessing {
  readonly #options: GuessOptions
  readonly #cost: StepCost
  readonly #drafting: Drafting | undefined
  #steps = 0

  constructor(options: GuessOptions) {
    const { gpu, mode, draft, now, onDraftFailure: onFailure = () => undefined } = options
    this.#options = options
    this.#cost = createStepCost(gpu)
    this.#drafting = draft && mode !== 'never' ? new Drafting(draft, { gpu, mode, now, onFailure }) : undefined
  }

  /** The guesses of each stream for a step that has these streams and nothing else. */
  async guess(streams: readonly Stream[]): Promise<(readonly Token[])[]> {
    const { mode } = this.#options
    const room = MOST_TOKENS - streams.length
    if (mode === 'never' || room <= 0) return streams.map(() => [])
    const copied = streams.map(({ tokens, last, guesses }) => guesses.foresee(tokens, last, this.#roomAfter(tokens)))
    await this.#draft(streams, copied)
    const hopes = streams.map(({ drafts }, index) => (drafts.count > 0 ? hopesOf(drafts) : copied[index]!))
    const counts = chooseCounts(hopes, room, (tokens) => (mode === 'always' ? 1 : this.#cost.of(tokens)))
    return streams.map(({ drafts, guesses }, index) => (drafts.count > 0 ? drafts : guesses).take(counts[index]!))
  }

  /** How long a step took that had streams and nothing else. */
  learn(tokens: number, ms: number): void {
    this.#steps++
    this.#cost.learn(tokens, ms)
    this.#drafting?.onStep(ms)
  }

  dispose(): void {
    this.#drafting?.dispose()
  }

  /** A copy of the past costs nothing, so a draft has to be right more often. */
  async #draft(streams: readonly Stream[], copied: readonly Hopes[]): Promise<void> {
    for (const { drafts } of streams) drafts.clear()
    const drafting = this.#drafting
    if (drafting === undefined || this.#steps < FIRST_STEPS) return
    const others = streams.filter((stream, index) => {
      const { available, match, oddsOf } = copied[index]!
      return available === 0 || oddsOf(match) < drafting.averageOf(stream)
    })
    await drafting.draft(others, { streams: streams.length, stepOf: (tokens) => this.#cost.of(tokens) })
  }

  #roomAfter(tokens: readonly Token[]): number {
    return this.#options.contextLength - tokens.length - 1
  }
}

function hopesOf(drafts: Stream['drafts']): Hopes {
  return { available: drafts.count, match: 0, oddsOf: (index) => drafts.oddsOf(index) }
}
