// How long the answers of a model are, as multiples of what is usual for their key: the latest ones, which count the same. It answers one
// question: how many tokens will there be, given how many there are already?

const REMEMBERED = 200
/** An answer that is longer than all others before it is expected to continue for this part of its length. */
const UNHEARD_OF = 0.25

export class AnswerLengths {
  /** A new one takes the place of the oldest. */
  readonly #lengths: number[] = []
  #next = 0
  #sum = 0
  /** The shortest first; undefined until someone questions. */
  #sorted: Float64Array | undefined

  get isEmpty(): boolean {
    return this.#lengths.length === 0
  }

  get mean(): number {
    return this.#sum / this.#lengths.length
  }

  add(tokens: number, usual: number): void {
    const length = tokens / usual
    this.#sum += length - (this.#lengths[this.#next] ?? 0)
    this.#lengths[this.#next] = length
    this.#next = (this.#next + 1) % REMEMBERED
    this.#sorted = undefined
  }

  /**
   * The length of an answer that has `done` tokens and gets at most `limit`, for a key whose answers are usually `usual` tokens long. Of all
   * answers that are longer than that, the part `quantile` is not longer than the result.
   */
  draw(quantile: number, usual: number, done: number, limit: number): number {
    return Math.max(done, Math.min(limit, usual * this.#draw(quantile, done / usual)))
  }

  #draw(quantile: number, done: number): number {
    const sorted = (this.#sorted ??= Float64Array.from(this.#lengths).sort())
    const first = sorted.findIndex((length) => length > done)
    return first < 0 ? done * (1 + UNHEARD_OF) : sorted[first + Math.floor(quantile * (sorted.length - first))]!
  }
}
