// Which leading tokens of a slot each scope has sent or got before. Scopes stand for API keys: what one key learns about the cache, and
// with separate scopes also what it gets from it, must not depend on the prompts of others.

/** Older ones are forgotten: they then count as never sent. */
const MAX_SCOPES = 64

export class PrefixOwners {
  /** By scope, the one used longest ago first. */
  readonly #lengths = new Map<string, number>()

  /** Infinite for the scope whose job was last here: everything it evaluated belongs to it. */
  lengthOf(scope: string): number {
    return this.#lengths.get(scope) ?? 0
  }

  /** A job of this scope continues after the first `kept` tokens. */
  begin(scope: string, kept: number): void {
    for (const [other, length] of this.#lengths) this.#lengths.set(other, Math.min(length, kept))
    this.#lengths.delete(scope)
    this.#lengths.set(scope, Number.POSITIVE_INFINITY)
    const [oldest] = this.#lengths.keys()
    if (this.#lengths.size > MAX_SCOPES && oldest !== undefined) this.#lengths.delete(oldest)
  }

  copyFrom(source: PrefixOwners): void {
    this.#lengths.clear()
    for (const [scope, length] of source.#lengths) this.#lengths.set(scope, length)
  }

  clear(): void {
    this.#lengths.clear()
  }
}
