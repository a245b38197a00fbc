// Measures how many tokens a decode may have so that each gets the numbers that it gets alone. Reads a few tokens one by one, then in larger
// and larger pieces, and compares.

import { MOST_EXACT, ONE_BY_ONE, SHORT, type ExactSizes } from '../exact-sizes.ts'
import type { Native, NativeSampler, Token } from '../native.ts'

export type Measured = Pick<
  Native,
  'context' | 'vocabulary' | 'createSampler' | 'batchSize' | 'contextLength' | 'gpu' | 'threads' | 'checkpointing'
>

/** Kernels take tokens by 2, 3, 4, 8 or 16, and the rest one by one. */
const SIZES = [2, 3, 4, 5, 8, 16, 32, MOST_EXACT]
/** At least so many tokens are compared: by chance, a few may be the same. */
const COMPARED = 16
const COMPARED_LONG = 4
/** What isn't measured by then is not used: a size that was found to be the same is right, only smaller than it could be. */
const BUDGET_MS = { short: 600, long: 1_000 }
/** Logits of some tokens say enough, next to the sum of all. */
const LOGITS = 16

export interface MeasuredSizes extends ExactSizes {
  /** Whether there was time for all sizes. */
  isWhole: boolean
}

/** Uses the first slot and leaves it empty, so call it before any job runs. */
export async function measureSizes(native: Measured, now = () => performance.now()): Promise<MeasuredSizes> {
  const reading = new Reading(native, now)
  try {
    const short = await reading.findSize(0, COMPARED, MOST_EXACT, BUDGET_MS.short)
    const isWhole = !reading.isCut
    if (native.threads === 1) return { short, long: short, isWhole }
    // Threads split the attention of a lone token; other caches than those of halves don't. A slot that can't forget is not read twice.
    const canMeasure = native.checkpointing === undefined && native.contextLength > SHORT + short
    if (short === 1 || !canMeasure || !(await reading.readBlocks(SHORT, BUDGET_MS.long)))
      return { short, long: 1, isWhole: isWhole && !reading.isCut }
    const long = await reading.findSize(SHORT, COMPARED_LONG, short, BUDGET_MS.long)
    return { short, long, isWhole: isWhole && !reading.isCut }
  } catch {
    // Whether the model is good for anything is judged elsewhere.
    return { ...ONE_BY_ONE, isWhole: false }
  } finally {
    reading.end()
  }
}

class Reading {
  readonly #native: Measured
  readonly #now: () => number
  readonly #begun: number
  readonly #sampler: NativeSampler
  readonly #some: readonly Token[]
  isCut = false
  /** Of the tokens from `from` on, one by one. */
  #numbers: string[] = []

  constructor(native: Measured, now: () => number) {
    this.#native = native
    this.#now = now
    this.#begun = now()
    this.#sampler = native.createSampler()
    this.#sampler.applyConfig({ temperature: 0 })
    const { size } = native.vocabulary
    this.#some = Array.from({ length: LOGITS }, (_, index) => Math.floor((index * size) / LOGITS))
  }

  /** Behind `from` tokens that the slot has. */
  async findSize(from: number, compared: number, most: number, budgetMs: number): Promise<number> {
    this.#numbers = []
    let same = 1
    for (const size of SIZES) {
      const until = Math.max(compared, size)
      if (size > most || from + until >= this.#native.contextLength) break
      // What was read in pieces that are the same goes on where one by one would be.
      if (!(await this.#read(from, until, same, budgetMs))) break
      this.#forget(from)
      const expected = this.#numbers
      this.#numbers = []
      if (!(await this.#read(from, until, size, budgetMs))) break
      if (this.#numbers.some((numbers, index) => numbers !== expected[index])) break
      same = size
    }
    return same
  }

  /** In decodes that a prompt would have. False if that would take too long. */
  async readBlocks(count: number, budgetMs: number): Promise<boolean> {
    this.#forget(0)
    for (let at = 0; at < count;) {
      const begun = this.#now()
      const size = Math.min(at === 0 ? 64 : count - at, this.#native.batchSize, count - at)
      await this.#decode(at, size, false)
      at += size
      const expectedMs = ((this.#now() - begun) / size) * (count - at)
      if (this.#now() + expectedMs > this.#begun + budgetMs) return !(this.isCut = true)
    }
    return true
  }

  end(): void {
    this.#sampler.dispose()
    this.#native.context.disposeSequence(0)
  }

  #forget(from: number): void {
    if (from === 0) this.#native.context.disposeSequence(0)
    else this.#native.context.removeTokenCellsFromSequence(0, from, -1)
  }

  /** Goes on until `until` tokens are read behind `from`. */
  async #read(from: number, until: number, size: number, budgetMs: number): Promise<boolean> {
    while (this.#numbers.length < until) {
      if (this.#now() > this.#begun + budgetMs) return !(this.isCut = true)
      const count = Math.min(size, until - this.#numbers.length)
      const places = await this.#decode(from + this.#numbers.length, count, true)
      for (const place of places) this.#numbers.push(await this.#numbersAt(place))
    }
    return true
  }

  async #decode(at: number, count: number, isWanted: boolean): Promise<Uint32Array> {
    const { context, vocabulary } = this.#native
    // Any tokens will do, as long as they differ.
    const tokens = Uint32Array.from({ length: count }, (_, index) => ((at + index) * 7_919 + 1) % vocabulary.size)
    context.initBatch(count)
    const wanted = Uint32Array.from({ length: isWanted ? count : 0 }, (_, index) => index)
    const places = context.addToBatch(0, at, tokens, wanted)
    await context.decodeBatch()
    return places
  }

  async #numbersAt(place: number): Promise<string> {
    const only: [readonly Token[], false, false, true, 0] = [this.#some, false, false, true, 0]
    const [, , , logits, sum] = await this.#native.context.sampleToken(place, this.#sampler, false, false, only, true)
    return [...logits, sum].join()
  }
}
