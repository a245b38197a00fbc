// Computes once what requests will need, before a model on a GPU is ready. Kernels are loaded when they are first used, and on a card that the
// package has no machine code for, the driver compiles them then: that takes half a minute, which nobody should wait for in a conversation.
// A CPU has nothing to load.

import type { LoadProgress } from '../../engine.ts'
import type { Native, Token } from '../native/native.ts'

/** One decode: so many tokens in each of so many slots, behind so many tokens that slot 0 already has. */
interface Shape {
  slots: number
  tokens: number
  behind: number
}

type Warmed = Pick<Native, 'context' | 'slots' | 'batchSize' | 'contextLength'>
export type LoadedNative = Warmed & Pick<Native, 'gpu'>

interface Timing {
  now: () => number
  /** Returns a function that cancels it. */
  after: (ms: number, action: () => void) => () => void
}

/** Streams that run at once: kernels are chosen by the number of tokens, in steps of about two. */
const STREAMS = [1, 2, 4, 8, 16, 32, 64]
const PIECES = [16, 64, 128, 256, 512, 1_024]
/** Long enough for the kernels of long conversations. */
const LONG = 4_096
/** A decode that takes this long is repeated, to tell computing from compiling. */
const SLOW_MS = 500
/** No card computes one token in each slot for this long. */
const COMPILING_MS = 3_000
/** For computing, without what is compiled. Slow decodes are computed twice, so it takes twice as long at most. */
const BUDGET_MS = 4_000

const TIMING: Timing = {
  now: () => performance.now(),
  after(ms, action) {
    const timer = setTimeout(action, ms)
    return () => clearTimeout(timer)
  },
}

/**
 * Uses all slots of the model and leaves them empty, so call it before any job runs. Reports only if something is
 * compiled.
 */
export async function warmUp(
  native: LoadedNative,
  report: (progress: LoadProgress) => void,
  timing = TIMING,
): Promise<void> {
  if (native.gpu === false) return
  const shapes = shapesFor(native)
  const warming = new Warming(native, shapes.length, report, timing)
  for (const shape of shapes) if (!(await warming.compute(shape))) break
  warming.end()
}

/** The small ones first, because most kernels are compiled with them. */
export function shapesFor({ slots, batchSize, contextLength }: Warmed): Shape[] {
  const streams = [...STREAMS.filter((count) => count < slots), slots].filter((count) => count <= batchSize)
  const most = Math.min(batchSize, contextLength - 1)
  const pieces = [...PIECES.filter((count) => count < most), most]
  const long = Math.min(LONG, contextLength - most)
  return [
    ...streams.map((count) => ({ slots: count, tokens: 1, behind: 0 })),
    ...pieces.map((tokens) => ({ slots: 1, tokens, behind: 0 })),
    ...(long > most ? [1, most].map((tokens) => ({ slots: 1, tokens, behind: long })) : []),
  ]
}

class Warming {
  readonly #native: Warmed
  readonly #total: number
  readonly #report: (progress: LoadProgress) => void
  readonly #timing: Timing
  #done = 0
  #isCompiling = false
  #spentMs = 0

  constructor(native: Warmed, total: number, report: (progress: LoadProgress) => void, timing: Timing) {
    this.#native = native
    this.#total = total
    this.#report = report
    this.#timing = timing
  }

  /** False if that was enough, or if the card can't compute it: whether it is good for anything is judged elsewhere. */
  async compute(shape: Shape): Promise<boolean> {
    const cancel =
      shape.tokens === 1 ? this.#timing.after(COMPILING_MS, () => this.#tellCompiling()) : (): undefined => undefined
    try {
      const firstMs = await this.#time(shape)
      const againMs = firstMs < SLOW_MS ? firstMs : await this.#time(shape)
      this.#done += 1
      if (this.#isCompiling || againMs < firstMs / 2) this.#tellCompiling()
      this.#spentMs += againMs
      return this.#spentMs < BUDGET_MS
    } catch {
      return false
    } finally {
      cancel()
    }
  }

  end(): void {
    for (let slot = 0; slot < this.#native.slots; slot++) this.#native.context.disposeSequence(slot)
  }

  #tellCompiling(): void {
    this.#isCompiling = true
    this.#report({ step: 'compiling', done: this.#done, total: this.#total })
  }

  /** The time of the last decode: those before it have had their own turn. */
  async #time({ slots, tokens, behind }: Shape): Promise<number> {
    const { batchSize } = this.#native
    this.end()
    for (let done = 0; done < behind; done += batchSize) await this.#decode(1, Math.min(batchSize, behind - done), done)
    const since = this.#timing.now()
    await this.#decode(slots, tokens, behind)
    return this.#timing.now() - since
  }

  async #decode(slots: number, tokens: number, behind: number): Promise<void> {
    const { context } = this.#native
    context.initBatch(slots * tokens)
    for (let slot = 0; slot < slots; slot++)
      context.addToBatch(slot, behind, someTokens(tokens), Uint32Array.of(tokens - 1))
    await context.decodeBatch()
  }
}

/** Any will do: only their number matters. */
function someTokens(count: number): Uint32Array {
  return Uint32Array.from({ length: count }, (): Token => 1)
}
