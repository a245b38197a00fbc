// A slot of the draft model, which follows the same slot of the model. Between two steps of a stream, the tokens of the model's slot only
// grow. So after the first comparison only new tokens are compared.

import type { NativeContext, Token } from '../../native/native.ts'

/** A stream as the draft sees it. */
export interface Followed {
  /** Different for each stream. */
  readonly drafts: object
  readonly slot: number
  /** The tokens that the model has evaluated, and the next one. */
  readonly tokens: readonly Token[]
  readonly last: Token
  /** How many tokens the stream found in its slot. The draft reuses no more than that: a job learns nothing about others by its speed. */
  readonly reused: number
}

export class DraftSlot {
  readonly #context: NativeContext
  readonly #id: number
  readonly #vocabulary: number
  /** The tokens that the draft has evaluated. */
  readonly #tokens: Token[] = []
  /** How many of them are surely the same in the model's slot. */
  #same = 0
  #stream: object | undefined

  constructor(context: NativeContext, id: number, vocabulary: number) {
    this.#context = context
    this.#id = id
    this.#vocabulary = vocabulary
  }

  /** Forgets what differs. Returns how many tokens the draft has to evaluate before it can go on: one at least. */
  follow({ drafts, tokens, reused }: Followed): number {
    const isNew = this.#stream !== drafts
    this.#stream = drafts
    if (isNew) this.#same = 0
    // The last token is always evaluated: its distribution is the one that counts.
    const most = Math.min(this.#tokens.length, tokens.length, isNew ? reused : tokens.length)
    while (this.#same < most && this.#tokens[this.#same] === tokens[this.#same]) this.#same++
    this.#trim(Math.min(this.#same, most))
    return tokens.length + 1 - this.#same
  }

  /** The tokens to evaluate next, at most so many. Undefined if the draft doesn't know one of them. */
  next({ tokens, last }: Followed, most: number): Token[] | undefined {
    const from = this.#tokens.length
    const next = Array.from({ length: Math.min(most, tokens.length + 1 - from) }, (_, index) => {
      return tokens[from + index] ?? last
    })
    return next.every((token) => token < this.#vocabulary) ? next : undefined
  }

  /** Adds tokens to the batch. Returns where the distribution after the last one will be. */
  add(tokens: readonly Token[], isWanted: boolean): Uint32Array {
    const wanted = isWanted ? Uint32Array.of(tokens.length - 1) : new Uint32Array(0)
    const places = this.#context.addToBatch(this.#id, this.#tokens.length, Uint32Array.from(tokens), wanted)
    this.#tokens.push(...tokens)
    return places
  }

  #trim(length: number): void {
    this.#same = length
    if (this.#tokens.length === length) return
    if (length === 0 || !this.#context.removeTokenCellsFromSequence(this.#id, length, -1)) {
      this.#context.disposeSequence(this.#id)
      this.#same = 0
    }
    this.#tokens.length = this.#same
  }
}
