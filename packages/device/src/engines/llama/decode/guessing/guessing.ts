// Guesses what comes next, and evaluates the guesses in the same decode: as long as each token that is drawn is the one that was guessed,
// the distribution after it is there already. No draw changes, and streams only get guesses that make all of them faster together.

import type { GuessMode } from '../../llama-options.ts'
import type { Token } from '../../native/native.ts'
import { chooseCounts } from './choose-counts.ts'
import { Odds } from './odds.ts'
import { createStepCost, type StepCost } from './step-cost.ts'
import { StreamGuesses } from './stream-guesses.ts'

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

/** On a CPU, 64 tokens or more go through another kernel, which rounds differently. */
const MOST_TOKENS = 63

export class Guessing {
  readonly #options: GuessOptions
  readonly #cost: StepCost
  readonly #odds = new Odds()

  constructor(options: GuessOptions) {
    this.#options = options
    this.#cost = createStepCost(options.gpu)
  }

  createStream(): StreamGuesses {
    return new StreamGuesses(this.#odds)
  }

  /** The guesses of each stream for a step that has these streams and nothing else. */
  guess(streams: readonly Stream[]): (readonly Token[])[] {
    const { mode } = this.#options
    const room = MOST_TOKENS - streams.length
    if (mode === 'never' || room <= 0) return streams.map(() => [])
    const odds = streams.map((stream) => this.#foresee(stream))
    const counts = chooseCounts(odds, room, (tokens) => (mode === 'always' ? 1 : this.#cost.of(tokens)))
    return streams.map(({ guesses }, index) => guesses.take(counts[index]!))
  }

  /** How long a step took that had streams and nothing else. */
  learn(tokens: number, ms: number): void {
    this.#cost.learn(tokens, ms)
  }

  #foresee({ tokens, last, forced, guesses }: Stream): number[] {
    return guesses.foresee(tokens, last, forced(), this.#options.contextLength - tokens.length - 1)
  }
}
