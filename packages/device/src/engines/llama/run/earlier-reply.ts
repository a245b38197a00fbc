// The beginning of a choice, which another device computed. While its tokens are replayed, it covers the events that the client has, and
// finds out if this device computes another text from the same tokens: then the reply can't be continued here.

import { TextSum, type BegunChoice, type ChatEvent } from '@hearth/protocol'
import { EngineError } from '../../engine.ts'
import type { Token } from '../native/native.ts'

export class EarlierReply {
  readonly tokens: readonly Token[]
  readonly #begun: BegunChoice
  readonly #sum = new TextSum()
  #isOver = false
  #isAtLast = false

  constructor(begun: BegunChoice, vocabularySize: number) {
    if (begun.tokens.some((token) => token >= vocabularySize)) throw cannotContinue()
    this.tokens = begun.tokens
    this.#begun = begun
  }

  /** The next token is replayed. */
  reach(index: number): void {
    this.#isAtLast = index === this.tokens.length - 1
  }

  /** Whether the client has this event. */
  covers(event: ChatEvent): boolean {
    if (this.#isOver) return false
    if (event.type === 'text' && this.#sum.length < this.#begun.length) {
      this.#sum.add(event.text)
      return true
    }
    this.#verify()
    // The link may have broken between two texts of the last token. Text of an earlier one would have come with it.
    if (event.type === 'text' && !this.#isAtLast) throw cannotContinue()
    return event.type === 'tool-calls' && this.#begun.hasCalls
  }

  /** All tokens are replayed: what follows is new. */
  end(): void {
    this.#verify()
    this.#isOver = true
  }

  // A text is sent whole or not at all, so this one ends exactly where the client's text ends.
  #verify(): void {
    const { length, checksum } = this.#begun
    if (this.#sum.length !== length || this.#sum.checksum !== checksum) throw cannotContinue()
  }
}

function cannotContinue(): EngineError {
  return new EngineError('failed', "This device can't continue the reply: its tokens don't give the same text here", {
    retryable: true,
  })
}
