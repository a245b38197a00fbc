// Remembers jobs that ran when an engine died, by a hash of the whole request. Several jobs run at once, so only one that was there several
// times is taken for the cause.

import type { ChatJob } from '@hearth/protocol'
import { createHash } from 'node:crypto'

const POISON_AFTER = 3
const KEPT = 100

export class CrashRecord {
  readonly #crashes = new Map<string, number>()

  note(job: ChatJob): void {
    const key = hash(job)
    const count = (this.#crashes.get(key) ?? 0) + 1
    this.#crashes.delete(key)
    this.#crashes.set(key, count)
    const [oldest] = this.#crashes.keys()
    if (this.#crashes.size > KEPT && oldest !== undefined) this.#crashes.delete(oldest)
  }

  isPoison(job: ChatJob): boolean {
    return this.#crashes.size > 0 && (this.#crashes.get(hash(job)) ?? 0) >= POISON_AFTER
  }
}

function hash(job: ChatJob): string {
  return createHash('sha256').update(JSON.stringify(job)).digest('base64')
}
