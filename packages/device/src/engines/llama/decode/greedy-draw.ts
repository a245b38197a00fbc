// Takes the likeliest token, which needs no sorting.

import type { Native, Token } from '../native/native.ts'
import type { Biases, Draw } from './cut-draw.ts'
import { lendSampler, type LentSampler } from './lend-sampler.ts'

export class GreedyDraw implements Draw {
  readonly #native: Native
  readonly #lent: LentSampler

  constructor(native: Native, biases: Biases) {
    this.#native = native
    this.#lent = lendSampler(native, { temperature: 0, ...biases })
  }

  draw(at: number): Promise<Token> {
    return this.#native.context.sampleToken(at, this.#lent.sampler)
  }

  dispose(): void {
    this.#lent.giveBack()
  }
}
