// The attempts that a device was sent and has not ended, with where their frames go. There are few at a time and every job changes them, so
// a list is cheaper than a map.

import type { JobAttempt } from '@hearth/protocol'
import type { Start } from '../terms/messages.ts'

export interface OpenAttempt extends Readonly<Pick<Start, 'job' | 'attempt' | 'lease' | 'model' | 'client'>> {
  /** The gateway that the frames go to. Undefined once it can't be reached. */
  front: string | undefined
  /** The client reads slowly. */
  isPaused: boolean
}

export class OpenAttempts {
  readonly #attempts: OpenAttempt[] = []
  /** Where the last search ended. Devices report on their jobs in turn, or several times on the same one. */
  #position = 0

  get isEmpty(): boolean {
    return this.#attempts.length === 0
  }

  get all(): readonly OpenAttempt[] {
    return this.#attempts
  }

  add(attempt: OpenAttempt): void {
    this.#attempts.push(attempt)
  }

  remove(attempt: OpenAttempt): void {
    const position = this.#attempts.indexOf(attempt)
    const last = this.#attempts.pop()!
    if (position < this.#attempts.length) this.#attempts[position] = last
  }

  countOf(model: string): number {
    let count = 0
    for (const attempt of this.#attempts) if (attempt.model === model) count += 1
    return count
  }

  find({ job, attempt }: JobAttempt): OpenAttempt | undefined {
    const attempts = this.#attempts
    let position = this.#position < attempts.length ? this.#position : 0
    for (let passed = 0; passed < attempts.length; passed++) {
      const open = attempts[position]!
      if (open.job === job && open.attempt === attempt) {
        this.#position = position
        return open
      }
      position = position + 1 < attempts.length ? position + 1 : 0
    }
    return undefined
  }
}
