// Counts the event streams of each person. Every stream asks the store from time to time whether its session still exists, so nobody may
// have any number of them.

import { ApiError } from '../errors.ts'

/** Far more than the tabs that one person looks at. */
const PER_PERSON = 32

export class OpenStreams {
  readonly #counts = new Map<string, number>()

  /** Call the returned function when the stream has ended. */
  enter(person: string): () => void {
    const count = this.#counts.get(person) ?? 0
    if (count >= PER_PERSON)
      throw new ApiError('rate_limit_exceeded', `You have ${count} event streams open. Close some of them.`, null, {
        'retry-after': '15',
      })
    this.#counts.set(person, count + 1)
    return () => this.#leave(person)
  }

  #leave(person: string): void {
    const left = (this.#counts.get(person) ?? 1) - 1
    if (left === 0) this.#counts.delete(person)
    else this.#counts.set(person, left)
  }
}
