// The sealed events that the client has so far: all that another device needs to continue the
// reply. Nobody in between can read them.

import type { JobSealed } from '../frames/frames.ts'
import type { BegunAttempt } from '../job/sealed-request.ts'
import { BOX_BYTES, MAX_BEGUN_ATTEMPTS, MAX_BEGUN_BYTES } from '../limits.ts'

export class SealedRecord {
  #attempts: BegunAttempt[] = []
  #bytes = 0
  #isComplete = true

  /** False once the reply is too long to be continued elsewhere. */
  get isComplete(): boolean {
    return this.#isComplete
  }

  /** The memory that it takes. */
  get bytes(): number {
    return this.#bytes
  }

  add({ attempt, box }: Pick<JobSealed, 'attempt' | 'box'>): void {
    if (!this.#isComplete) return
    this.#boxesOf(attempt).push(box)
    this.#bytes += BOX_BYTES + box.length
    if (this.#bytes > MAX_BEGUN_BYTES || this.#attempts.length > MAX_BEGUN_ATTEMPTS) this.#giveUp()
  }

  /** For the next attempt; undefined if there is nothing yet. */
  begun(): BegunAttempt[] | undefined {
    return this.#attempts.length === 0 ? undefined : this.#attempts
  }

  #boxesOf(attempt: number): string[] {
    const last = this.#attempts.at(-1)
    if (last?.attempt === attempt) return last.boxes
    const boxes: string[] = []
    this.#attempts.push({ attempt, boxes })
    return boxes
  }

  #giveUp(): void {
    this.#isComplete = false
    this.#attempts = []
    this.#bytes = 0
  }
}
