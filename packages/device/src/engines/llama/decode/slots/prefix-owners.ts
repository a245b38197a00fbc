// Which leading tokens of a slot each scope has sent or got before. Scopes stand for API keys: what one key learns about the cache, and
// with separate scopes also what it gets from it, must not depend on the prompts of others. Private scopes stand for clients whose prompts
// nobody else may learn of, not even by how fast another prompt is.

import type { EngineScope } from '../../../engine.ts'

/** Older ones are forgotten: they then count as never sent. */
const MAX_SCOPES = 64

export class PrefixOwners {
  /** By scope, the one used longest ago first. */
  readonly #lengths = new Map<string, number>()
  #openLength = Number.POSITIVE_INFINITY

  /** Infinite for the scope whose job was last here: everything it evaluated belongs to it. */
  lengthOf(scope: string): number {
    return this.#lengths.get(scope) ?? 0
  }

  /** How many leading tokens no private scope has evaluated, so that every job that is not separate may reuse them. */
  get openLength(): number {
    return this.#openLength
  }

  /** A job of this scope continues after the first `kept` tokens. */
  begin({ name, isPrivate = false }: Pick<EngineScope, 'name' | 'isPrivate'>, kept: number): void {
    this.#openLength = isPrivate ? Math.min(this.#openLength, kept) : Number.POSITIVE_INFINITY
    for (const [other, length] of this.#lengths) this.#lengths.set(other, Math.min(length, kept))
    this.#lengths.delete(name)
    this.#lengths.set(name, Number.POSITIVE_INFINITY)
    const [oldest] = this.#lengths.keys()
    if (this.#lengths.size > MAX_SCOPES && oldest !== undefined) this.#lengths.delete(oldest)
  }

  copyFrom(source: PrefixOwners): void {
    this.clear()
    this.#openLength = source.#openLength
    for (const [scope, length] of source.#lengths) this.#lengths.set(scope, length)
  }

  clear(): void {
    this.#lengths.clear()
    this.#openLength = Number.POSITIVE_INFINITY
  }
}
