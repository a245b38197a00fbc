// Counts the event streams of each person. Every stream asks the store from time to time whether its session still exists, so nobody may
// have any number of them.

import { ApiError } from '../../errors.ts'
import { AtOnce } from '../guard/at-once.ts'

/** Far more than the tabs that one person looks at. */
export const PER_PERSON = 32

export class OpenStreams {
  readonly #streams = new AtOnce()

  /** Call the returned function when the stream has ended. */
  enter(person: string): () => void {
    const leave = this.#streams.enter(person, PER_PERSON)
    if (leave) return leave
    throw new ApiError('rate_limit_exceeded', `You have ${PER_PERSON} event streams open. Close some of them.`, null, {
      'retry-after': '15',
    })
  }
}
