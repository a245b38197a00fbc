// The part of a reply that the client has so far, and its tokens: all that another device needs to
// continue it.

import type { BegunChoice } from '../job/chat-job.ts'
import type { JobDelta } from '../frames/frames.ts'
import { MAX_RECOVERY_TOKENS } from '../limits.ts'
import { TextSum } from './text-sum.ts'

interface Recorded {
  tokens: number[]
  sum: TextSum
  hasCalls: boolean
}

export class ReplyRecord {
  readonly #choices: Recorded[] = []
  #tokens = 0

  /** False once the reply is too long to be continued elsewhere. */
  get isComplete(): boolean {
    return this.#tokens <= MAX_RECOVERY_TOKENS
  }

  addText({ choice, text, ids }: Pick<JobDelta, 'choice' | 'text' | 'ids'>): void {
    const recorded = this.#at(choice)
    recorded.sum.add(text)
    if (typeof ids === 'number') this.#addToken(recorded, ids)
    else if (ids !== undefined) for (const id of ids) this.#addToken(recorded, id)
  }

  addCalls(choice: number): void {
    this.#at(choice).hasCalls = true
  }

  /**
   * For the next attempt; undefined if there is nothing yet. A text without tokens can't be
   * continued, which the next device finds out.
   */
  choices(count: number): BegunChoice[] | undefined {
    if (this.#choices.every(({ tokens, sum, hasCalls }) => tokens.length + sum.length === 0 && !hasCalls))
      return undefined
    return Array.from({ length: count }, (_, index) => {
      const { tokens, sum, hasCalls } = this.#at(index)
      return { tokens, length: sum.length, checksum: sum.checksum, hasCalls }
    })
  }

  #at(choice: number): Recorded {
    return (this.#choices[choice] ??= { tokens: [], sum: new TextSum(), hasCalls: false })
  }

  #addToken(recorded: Recorded, id: number): void {
    this.#tokens += 1
    if (this.isComplete) recorded.tokens.push(id)
    else for (const choice of this.#choices) choice.tokens = []
  }
}
