// The text of one choice on its way out: in whole characters, ended by stop sequences, with each token's log probability next to its text.

import type { ChatEvent, TokenLogprob } from '@hearth/protocol'
import type { Piece } from './marks.ts'
import { StopSequences } from '../../stop-sequences.ts'

type TextEvent = Extract<ChatEvent, { type: 'text' }>

export class ChoiceText {
  readonly #choice: number
  readonly #emit: (event: TextEvent) => void
  readonly #stop: StopSequences
  /** Log probabilities of tokens that haven't completed a character yet. */
  #logprobs: TokenLogprob[] = []
  /** The number of tokens up to the last one written, and up to the last one sent. */
  #writtenTokens = 0
  #sentTokens = 0
  isStopped = false

  constructor(choice: number, stops: readonly string[], emit: (event: TextEvent) => void) {
    this.#choice = choice
    this.#emit = emit
    this.#stop = new StopSequences(stops)
  }

  get holdsLogprobs(): boolean {
    return this.#logprobs.length > 0
  }

  write({ visible, position, logprob }: Piece): void {
    if (this.isStopped) return
    this.#writtenTokens = Math.max(this.#writtenTokens, position + 1)
    const { text, isStopped } = this.#stop.push(visible)
    this.isStopped = isStopped
    if (logprob !== undefined) this.#logprobs.push(logprob)
    if (text !== '') this.#send(text)
  }

  /** All text is out by now, but a log probability may be left. */
  end(): void {
    if (this.#logprobs.length > 0) this.#send('')
  }

  #send(text: string): void {
    const logprobs = this.#logprobs
    this.#logprobs = []
    const tokens = this.#writtenTokens - this.#sentTokens
    this.#sentTokens = this.#writtenTokens
    this.#emit({ type: 'text', choice: this.#choice, text, tokens, ...(logprobs.length === 0 ? {} : { logprobs }) })
  }
}
