// The effects of the sampling fields, seen from outside.

import type { TokenLogprob } from '@hearth/protocol'
import type { Harness } from '../testing/harness.ts'
import { expect, it } from 'vitest'

export function itDraws({ ask, features }: Harness): void {
  const askOthers = () =>
    Promise.all(['Hello', 'Count to 5.', 'Why?'].map((content) => ask({ messages: [{ role: 'user', content }] })))

  // By its probability: a GPU rounds more coarsely, so two tokens may be exactly as likely.
  const expectLikeliest = (logprobs: readonly TokenLogprob[]) => {
    expect(logprobs.length).toBeGreaterThan(0)
    for (const { logprob, top } of logprobs) expect(logprob).toBe(top[0]!.logprob)
  }

  if (features.includes('logprobs'))
    it('takes the likeliest tokens at temperature 0 or top_p 0, alone and next to other jobs', async () => {
      for (const settings of [{}, { temperature: 2, topP: 0 }]) {
        expectLikeliest((await ask({ ...settings, logprobs: { top: 1 } })).logprobs)
        const [beside] = await Promise.all([ask({ ...settings, logprobs: { top: 1 } }), askOthers()])
        expectLikeliest(beside.logprobs)
      }
    })

  it('draws differently each time at a high temperature', async () => {
    const replies = await Promise.all(Array.from({ length: 4 }, () => ask({ temperature: 1.8 })))
    expect(new Set(replies.map(({ text }) => text)).size).toBeGreaterThan(1)
  })
}

export function itTellsProbabilities({ ask }: Harness): void {
  it('gives each token its log probability and bytes', async () => {
    const { logprobs, text, usage } = await ask({ logprobs: { top: 0 } })
    expect(logprobs).toHaveLength(usage!.completionTokens)
    expect(Buffer.from(logprobs.flatMap(({ bytes }) => bytes)).toString()).toBe(text)
    for (const { logprob, top } of logprobs) {
      expect(logprob).toBeLessThanOrEqual(0)
      expect(top).toEqual([])
    }
  })
}

/** The ids and the texts of two plain-text tokens. */
export type KnownTokens = readonly [{ id: number; text: string }, { id: number; text: string }]

export function itTakesBiases({ ask }: Harness, [one, other]: KnownTokens): void {
  it('writes a forced token and no banned one', async () => {
    expect((await ask({ logitBias: { [one.id]: 100 }, maxTokens: 4 })).text).toBe(one.text.repeat(4))
    const banned = await ask({ logitBias: { [one.id]: -100, [other.id]: 100 }, maxTokens: 4, temperature: 1 })
    expect(banned.text).toBe(other.text.repeat(4))
  })
}
