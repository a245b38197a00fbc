// The content of one choice on its way out: whole characters, ended by the stop texts, each token's log probability with its text.

import type { ChatEvent, TokenLogprob } from '@hearth/protocol'
import type { Piece } from './marks.ts'
import { StopText } from '../../stop-text.ts'

export class ChoiceText {
  readonly #choice: number
  readonly #emit: (event: ChatEvent) => void
  readonly #stop: StopText
  /** Of tokens that have not completed a character yet. */
  #logprobs: TokenLogprob[] = []
  /** Tokens of the choice up to what was written last, and up to what was sent last. */
  #writtenTokens = 0
  #sentTokens = 0
  isStopped = false

  constructor(choice: number, stops: readonly string[], emit: (event: ChatEvent) => void) {
    this.#choice = choice
    this.#emit = emit
    this.#stop = new StopText(stops)
  }

  write({ visible, position, logprob }: Piece): void {
    if (this.isStopped) return
    this.#writtenTokens = Math.max(this.#writtenTokens, position + 1)
    const { text, isStopped } = this.#stop.push(visible)
    this.isStopped = isStopped
    if (logprob !== undefined) this.#logprobs.push(logprob)
    if (text !== '') this.#send(text)
  }

  /** Nothing of the text is left by now; a log probability may be. */
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
