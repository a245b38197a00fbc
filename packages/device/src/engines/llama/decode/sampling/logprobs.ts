// The model's own log probabilities: over the whole vocabulary, before temperature, penalties, biases and grammars.

import type { TokenLogprob } from '@hearth/protocol'
import type { Native, NativeSampler, Token } from '../../native/native.ts'
import type { TokenBytes } from '../../native/token-bytes.ts'
import { tokenPairs } from '../../native/token-pairs.ts'
import { createSampler } from './create-sampler.ts'

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
    this.#whole = createSampler(native, { temperature: 0 })
    this.#best = top === 0 ? undefined : createSampler(native, { temperature: 1, topK: top, seed: 1 })
  }

  /** Finds the part that doesn't depend on the token while the token is still being drawn. */
  async find(at: number): Promise<(token: Token) => Promise<TokenLogprob>> {
    const [divisor, likeliest] = await Promise.all([this.#divisor(at), this.#likeliest(at)])
    return async (token) => {
      const known = likeliest.find(([id]) => id === token)
      const [, logit] = known ?? (await this.#logit(token, at))
      const top = drawnFirst(likeliest, token, logit).map(([id, other]) => this.#format(id, other - divisor))
      return { ...this.#format(token, logit - divisor), top }
    }
  }

  dispose(): void {
    this.#whole.dispose()
    this.#best?.dispose()
  }

  /** The likeliest token and the weight of all of them give the divisor of the softmax. */
  async #divisor(at: number): Promise<number> {
    const [, , , [, max = 0], weight = 1] = await this.#sample(at, this.#whole, [], true)
    return max + Math.log(weight)
  }

  async #likeliest(at: number): Promise<[Token, number][]> {
    if (this.#best === undefined) return []
    const [, , , logits] = await this.#native.context.sampleToken(at, this.#best, false, false, true, false)
    return tokenPairs(logits)
      .toSorted(([, a], [, b]) => b - a)
      .slice(0, this.#top)
  }

  async #logit(token: Token, at: number): Promise<[Token, number]> {
    const [, , , logits] = await this.#sample(at, this.#whole, [token], false)
    return tokenPairs(logits).find(([id]) => id === token) ?? [token, Number.NEGATIVE_INFINITY]
  }

  #sample(at: number, sampler: NativeSampler, only: Token[], weight: boolean) {
    return this.#native.context.sampleToken(at, sampler, false, false, [only, false, false, true, 0], weight)
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

/** Of tokens that are exactly as likely, the drawn one comes first. */
function drawnFirst(likeliest: readonly [Token, number][], token: Token, logit: number): readonly [Token, number][] {
  const [first] = likeliest
  if (first === undefined || first[0] === token || first[1] !== logit) return likeliest
  return [[token, logit] as [Token, number], ...likeliest.filter(([id]) => id !== token)].slice(0, likeliest.length)
}
