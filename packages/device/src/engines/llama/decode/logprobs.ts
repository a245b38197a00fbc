// The model's own log probabilities: over the whole vocabulary, before temperature, penalties, biases and grammars.

import type { TokenLogprob } from '@hearth/protocol'
import type { Native, NativeSampler, Token } from '../native/native.ts'
import type { TokenBytes } from '../native/token-bytes.ts'

/** Means "never": JSON has no infinity. */
export const NEVER = -9999

export class Logprobs {
  readonly #native: Native
  readonly #bytes: TokenBytes
  readonly #top: number
  /** Keeps the whole distribution, so that its weight is the exact divisor of the softmax. */
  readonly #whole: NativeSampler
  readonly #best: NativeSampler | undefined

  constructor(native: Native, bytes: TokenBytes, top: number) {
    this.#native = native
    this.#bytes = bytes
    this.#top = top
    this.#whole = native.createSampler()
    this.#whole.applyConfig({ temperature: 0 })
    if (top === 0) return
    this.#best = native.createSampler()
    this.#best.applyConfig({ temperature: 1, topK: top, seed: 1 })
  }

  async of(token: Token, at: number): Promise<TokenLogprob> {
    const { context } = this.#native
    const only = [[token], false, false, true, 0] as [Token[], false, false, true, 0]
    const [, , , logits, weight = 1] = await context.sampleToken(at, this.#whole, false, false, only, true)
    const found = pairs(logits)
    const divisor = Math.max(...found.map(([, logit]) => logit)) + Math.log(weight)
    const logit = found.find(([id]) => id === token)?.[1] ?? Number.NEGATIVE_INFINITY
    return { ...this.#format(token, logit - divisor), top: await this.#alternatives(at, divisor) }
  }

  dispose(): void {
    this.#whole.dispose()
    this.#best?.dispose()
  }

  async #alternatives(at: number, divisor: number): Promise<TokenLogprob['top']> {
    if (this.#best === undefined) return []
    const [, , , logits] = await this.#native.context.sampleToken(at, this.#best, false, false, true, false)
    return pairs(logits)
      .toSorted(([, a], [, b]) => b - a)
      .slice(0, this.#top)
      .map(([id, logit]) => this.#format(id, logit - divisor))
  }

  #format(token: Token, logprob: number): TokenLogprob['top'][number] {
    const bytes = this.#bytes.raw(token)
    return { token: formatToken(bytes), logprob: finite(logprob), bytes: [...bytes] }
  }
}

function finite(logprob: number): number {
  return logprob > NEVER ? Math.min(logprob, 0) : NEVER
}

/** A token with only part of a character has no text of its own. */
function formatToken(bytes: Buffer): string {
  const text = bytes.toString('utf8')
  if (Buffer.from(text).equals(bytes)) return text
  return `bytes:${[...bytes].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('')}`
}

function pairs(flat: readonly number[]): [Token, number][] {
  return Array.from({ length: flat.length / 2 }, (_, index) => [flat[index * 2]!, flat[index * 2 + 1]!])
}
