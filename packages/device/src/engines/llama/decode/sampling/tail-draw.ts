// Draws from all tokens but some. The weight of such a tail is added up without the others: next to them, 32-bit floats would lose most of it.

import type { Native, NativeSampler, Token } from '../../native/native.ts'
import type { Shape } from './shaped-sampler.ts'

export interface Tail {
  token: Token
  /** The logarithm of the weight of the whole tail, where a logit of 0 weighs 1. */
  logWeight: number
}

export class TailDraw {
  readonly #native: Native
  readonly #temperature: number
  #samplers: { drawing: NativeSampler; likeliest: NativeSampler } | undefined

  constructor(native: Native, temperature: number) {
    this.#native = native
    this.#temperature = temperature
  }

  async draw(at: number, excluded: readonly Token[] | Uint32Array, shape: Shape, seed: number): Promise<Tail> {
    const { context } = this.#native
    // A new sampler takes longer than a draw, because it is as large as the vocabulary.
    this.#samplers ??= { drawing: this.#native.createSampler(), likeliest: this.#native.createSampler() }
    const { drawing, likeliest } = this.#samplers
    const shaped = excluding(excluded, shape)
    drawing.applyConfig({ temperature: this.#temperature, seed, ...shaped })
    likeliest.applyConfig({ temperature: 0, ...shaped })
    const [[token, , , , weight = 0], [, , , [, logit = Number.NEGATIVE_INFINITY]]] = await Promise.all([
      context.sampleToken(at, drawing, false, false, false, true),
      context.sampleToken(at, likeliest, false, false, [[], false, false, true, 0], false),
    ])
    const isEmpty = logit === Number.NEGATIVE_INFINITY
    return { token, logWeight: isEmpty ? logit : logit / this.#temperature + Math.log(weight) }
  }

  dispose(): void {
    this.#samplers?.drawing.dispose()
    this.#samplers?.likeliest.dispose()
  }
}

/** Biases are added up, so a token may be excluded twice. */
export function excluding(excluded: readonly Token[] | Uint32Array, shape: Shape): Shape {
  const { tokenBiasKeys = [], tokenBiasValues = [] } = shape
  const keys = new Uint32Array(excluded.length + tokenBiasKeys.length)
  const values = new Float32Array(keys.length).fill(Number.NEGATIVE_INFINITY)
  keys.set(excluded)
  keys.set(tokenBiasKeys, excluded.length)
  values.set(tokenBiasValues, excluded.length)
  return { ...shape, tokenBiasKeys: keys, tokenBiasValues: values }
}
