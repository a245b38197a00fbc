// Playground keys by session and organization, so that opening the playground again gives the same key. The secret is kept only here, in
// memory; after a restart, or on another gateway, the session gets one more key.

import type { AccessBook } from '../../access/book/access-book.ts'
import { forgetOldest } from '../../forget-oldest.ts'

export interface PlaygroundKey {
  secret: string
  digest: string
  expiresAt: Date
}

/** A key with less time left is not handed out again. */
const SPARE_MS = 10 * 60_000
export const MAX_PLAYGROUND_KEYS = 10_000

export class PlaygroundKeys {
  readonly #book: Pick<AccessBook, 'caller'>
  readonly #keys = new Map<string, PlaygroundKey>()

  constructor(book: Pick<AccessBook, 'caller'>) {
    this.#book = book
  }

  /** A key that works for at least ten more minutes. */
  find(session: string, organization: string, now = Date.now()): PlaygroundKey | undefined {
    const key = this.#keys.get(nameOf(session, organization))
    if (!key || key.expiresAt.getTime() - now < SPARE_MS) return undefined
    return this.#book.caller(key.digest) && key
  }

  /** Which key the session last got, even if it ends soon. */
  digestOf(session: string, organization: string): string | undefined {
    return this.#keys.get(nameOf(session, organization))?.digest
  }

  keep(session: string, organization: string, key: PlaygroundKey): void {
    const name = nameOf(session, organization)
    this.#keys.delete(name)
    this.#keys.set(name, key)
    // Keys live equally long, so the first one expires first.
    forgetOldest(this.#keys, MAX_PLAYGROUND_KEYS)
  }
}

function nameOf(session: string, organization: string): string {
  return `${session} ${organization}`
}
