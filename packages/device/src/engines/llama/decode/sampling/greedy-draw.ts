// Takes the likeliest token, which needs no sorting.

import type { Native, NativeSampler, Token } from '../../native/native.ts'
import type { Biases, Draw } from './cut-draw.ts'
import { createSampler } from './create-sampler.ts'

export class GreedyDraw implements Draw {
  readonly #native: Native
  readonly #sampler: NativeSampler

  constructor(native: Native, biases: Biases) {
    this.#native = native
    this.#sampler = createSampler(native, { temperature: 0, ...biases })
  }

  draw(at: number): Promise<Token> {
    return this.#native.context.sampleToken(at, this.#sampler)
  }

  dispose(): void {
    this.#sampler.dispose()
  }
}
