// A sampler of the library for draws whose biases and penalties change from token to token.

import type { Native, NativeSampler, SamplerConfig } from '../../native/native.ts'

/** What is added to the logits before anything is drawn: biases, and penalties for tokens that were drawn before. */
export type Shape = Omit<SamplerConfig, 'temperature' | 'topK' | 'topP' | 'minP' | 'seed' | 'grammarEvaluationState'>

export class ShapedSampler {
  readonly #native: Pick<Native, 'createSampler'>
  readonly #config: SamplerConfig
  #sampler: NativeSampler | undefined
  #shape: Shape | undefined

  constructor(native: Pick<Native, 'createSampler'>, config: SamplerConfig) {
    this.#native = native
    this.#config = config
  }

  /** For one draw. */
  with(shape: Shape): NativeSampler {
    // One takes as much memory as the vocabulary, so it is made when it is needed.
    this.#sampler ??= this.#native.createSampler()
    // Configuring it takes a noticeable part of a draw. The library's penalties count whatever this sampler has drawn, wanted or not.
    if (shape !== this.#shape || shape.repeatPenaltyTokens !== undefined)
      this.#sampler.applyConfig({ ...this.#config, ...shape })
    this.#shape = shape
    return this.#sampler
  }

  dispose(): void {
    this.#sampler?.dispose()
    this.#sampler = undefined
    this.#shape = undefined
  }
}
