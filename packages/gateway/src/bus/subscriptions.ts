/** Who listens to which subject, over one connection. */
export class Subscriptions<Payload> {
  readonly #listeners = new Map<string, Set<(payload: Payload) => void>>()

  add(subject: string, listener: (payload: Payload) => void): () => void {
    const listeners = this.#listeners.get(subject) ?? new Set()
    this.#listeners.set(subject, listeners.add(listener))
    return () => listeners.delete(listener)
  }

  has(subject: string): boolean {
    return (this.#listeners.get(subject)?.size ?? 0) > 0
  }

  of(subject: string): Iterable<(payload: Payload) => void> {
    return this.#listeners.get(subject) ?? []
  }

  clear(): void {
    this.#listeners.clear()
  }
}
