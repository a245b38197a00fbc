// How long the answers of a model are, as multiples of what is usual for their key: a histogram in which old answers count less and less. It
// answers one question: how many tokens will there be, given how many there are already?

/** Each bucket is a fifth wider than the one before. */
const BUCKETS_PER_DOUBLING = 4
/** Up to a million tokens. */
const BUCKETS = 20 * BUCKETS_PER_DOUBLING
/** Each answer weighs this much more than the one before it, so that about the last two hundred count. */
const GROWTH = 1.01
/** The usual length is kept as this many tokens, so that the buckets around it are narrow. */
const USUAL = 256
const LARGEST_WEIGHT = 1e12
/** An answer that is longer than all others before it is expected to continue for this part of its length. */
const UNHEARD_OF = 0.25

export class AnswerLengths {
  /** Both are allocated with the first answer. */
  #weights: Float64Array | undefined
  #tokens: Float64Array | undefined
  #weight = 1

  get isEmpty(): boolean {
    return this.#weights === undefined
  }

  add(answer: number, usual: number): void {
    const tokens = (answer * USUAL) / usual
    const weights = (this.#weights ??= new Float64Array(BUCKETS))
    const sums = (this.#tokens ??= new Float64Array(BUCKETS))
    const bucket = bucketOf(tokens)
    this.#weight *= GROWTH
    weights[bucket]! += this.#weight
    sums[bucket]! += this.#weight * tokens
    if (this.#weight > LARGEST_WEIGHT) this.#shrink()
  }

  /**
   * The length of an answer that has `done` tokens and gets at most `limit`, for a key whose answers are usually `usual` tokens long. Of all answers that are longer than that, the part `quantile`
   * is not longer than the result.
   */
  draw(quantile: number, usual: number, done: number, limit: number): number {
    const scale = usual / USUAL
    return Math.max(done, Math.min(limit, scale * this.#draw(quantile, done / scale)))
  }

  #draw(quantile: number, done: number): number {
    const weights = this.#weights
    if (weights === undefined) return done
    const first = this.#firstBeyond(done)
    let left = 0
    for (let bucket = first; bucket < BUCKETS; bucket++) left += weights[bucket]!
    if (left === 0) return done * (1 + UNHEARD_OF)
    left *= quantile
    let last = first
    for (let bucket = first; bucket < BUCKETS && left >= 0; bucket++) {
      if (weights[bucket] === 0) continue
      last = bucket
      left -= weights[bucket]!
    }
    return this.#mean(last)
  }

  #firstBeyond(done: number): number {
    if (done === 0) return 0
    const bucket = bucketOf(done)
    return this.#weights![bucket]! > 0 && this.#mean(bucket) > done ? bucket : bucket + 1
  }

  #mean(bucket: number): number {
    return this.#tokens![bucket]! / this.#weights![bucket]!
  }

  #shrink(): void {
    for (let bucket = 0; bucket < BUCKETS; bucket++) {
      this.#weights![bucket]! /= this.#weight
      this.#tokens![bucket]! /= this.#weight
    }
    this.#weight = 1
  }
}

function bucketOf(tokens: number): number {
  return Math.min(BUCKETS - 1, Math.floor(Math.log2(Math.max(0, tokens) + 1) * BUCKETS_PER_DOUBLING))
}
