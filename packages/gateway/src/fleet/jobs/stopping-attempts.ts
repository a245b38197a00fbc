// Attempts that were canceled, until their device says that they are over. Their jobs may be over too.

import type { JobAttempt } from '@hearth/protocol'
import { PassingMap } from '@hearth/chat'
import type { Attempt } from './front-job.ts'

export class StoppingAttempts {
  readonly #attempts = new PassingMap<Attempt>()

  add(attempt: Attempt): void {
    this.#attempts.set(keyOf(attempt.of), attempt)
  }

  /** Asked about every last frame, so nothing is put together while none is stopping. */
  take(of: JobAttempt): Attempt | undefined {
    if (this.#attempts.size === 0) return undefined
    const key = keyOf(of)
    const attempt = this.#attempts.get(key)
    if (attempt !== undefined) this.#attempts.delete(key)
    return attempt
  }

  *takeAllOf(home: string): Generator<Attempt> {
    for (const [key, attempt] of this.#attempts.entries()) {
      if (attempt.home !== home) continue
      this.#attempts.delete(key)
      yield attempt
    }
  }
}

function keyOf({ job, attempt }: JobAttempt): string {
  return `${job} ${attempt}`
}
