// Tells news from what was said just before: a gateway without its database says so with every attempt.

const QUIET_MS = 60_000
const MOST_TEXTS = 100

export class Repeats {
  readonly #saidAt = new Map<string, number>()

  isNew(text: string, now: number): boolean {
    const saidAt = this.#saidAt.get(text)
    if (saidAt !== undefined && now - saidAt < QUIET_MS) return false
    if (this.#saidAt.size >= MOST_TEXTS) this.#saidAt.clear()
    this.#saidAt.set(text, now)
    return true
  }
}
