// Answers only a few requests of one person at the same time; the others wait. However many questions someone asks, and however long the
// answers take, other people's questions find only a few of them in the queue of the store.

import { ApiError } from '@hearth/chat'

export const AT_ONCE_PER_PERSON = 4
export const MOST_WAITING_PER_PERSON = 64

/** How many requests of a person are being answered, and those that wait. */
interface Line {
  running: number
  waiting: (() => void)[]
}

export class PersonTurns {
  /** For each person with requests. */
  readonly #lines = new Map<string, Line>()

  async run(person: string, answer: () => Promise<void>): Promise<void> {
    const line = this.#lines.get(person) ?? { running: 0, waiting: [] }
    if (line.waiting.length >= MOST_WAITING_PER_PERSON) throw tooMany()
    this.#lines.set(person, line)
    if (line.running < AT_ONCE_PER_PERSON) line.running += 1
    else await new Promise<void>((begin) => line.waiting.push(begin))
    try {
      await answer()
    } finally {
      this.#next(person, line)
    }
  }

  /** The next request takes the place of the one that has ended. */
  #next(person: string, line: Line): void {
    const begin = line.waiting.shift()
    if (begin) return begin()
    line.running -= 1
    if (line.running === 0) this.#lines.delete(person)
  }
}

function tooMany(): ApiError {
  const message = `You have ${MOST_WAITING_PER_PERSON} requests waiting. Try again when some of them are answered.`
  return new ApiError('rate_limit_exceeded', message, null, { 'retry-after': '1' })
}
