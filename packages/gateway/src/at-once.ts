// Counts how many of something are open under each name, up to a limit.

export class AtOnce {
  readonly #counts = new Map<string, number>()

  /** Call the returned function once it is over. Undefined if there are too many already. */
  enter(name: string, most: number): (() => void) | undefined {
    const count = this.#counts.get(name) ?? 0
    if (count >= most) return undefined
    this.#counts.set(name, count + 1)
    let isOver = false
    return () => {
      if (!isOver) this.#leave(name)
      isOver = true
    }
  }

  #leave(name: string): void {
    const left = (this.#counts.get(name) ?? 1) - 1
    if (left === 0) this.#counts.delete(name)
    else this.#counts.set(name, left)
  }
}
