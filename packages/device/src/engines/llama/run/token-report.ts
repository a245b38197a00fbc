// The tokens of one choice that were not reported yet, so that another device can continue the reply. They travel with the text. While the
// model writes nothing that is sent, such as thinking or a tool call, they are reported on their own from time to time.

import type { ChatEvent } from '@hearth/protocol'
import type { Token } from '../native/native.ts'

type TextEvent = Extract<ChatEvent, { type: 'text' }>

/** At most this many tokens have to be drawn again. */
const DUE_AT = 16

export class TokenReport {
  readonly #choice: number
  #ids: Token[] = []

  constructor(choice: number) {
    this.#choice = choice
  }

  get isEmpty(): boolean {
    return this.#ids.length === 0
  }

  get isDue(): boolean {
    return this.#ids.length >= DUE_AT
  }

  add(token: Token): void {
    this.#ids.push(token)
  }

  attach(event: TextEvent): TextEvent {
    return this.isEmpty ? event : { ...event, ids: this.#drain() }
  }

  take(): TextEvent {
    return { type: 'text', choice: this.#choice, text: '', ids: this.#drain() }
  }

  #drain(): Token[] {
    const ids = this.#ids
    this.#ids = []
    return ids
  }
}
