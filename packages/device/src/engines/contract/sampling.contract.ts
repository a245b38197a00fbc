// The effects of the sampling fields, seen from outside.

import type { TokenLogprob } from '@hearth/protocol'
import type { Harness } from '../testing/harness.ts'
import { expect, it } from 'vitest'

export function itDraws(harness: Harness): void {
  const { ask } = harness
  const askOthers = () =>
    Promise.all(['Hello', 'Count to 5.', 'Why?'].map((content) => ask({ messages: [{ role: 'user', content }] })))

  // By its probability: a GPU rounds more coarsely, so two tokens may be exactly as likely.
  const expectLikeliest = (logprobs: readonly TokenLogprob[]) => {
    expect(logprobs.length).toBeGreaterThan(0)
    for (const { logprob, top } of logprobs) expect(logprob).toBe(top[0]!.logprob)
  }

  if (harness.isSteady)
    it('[W1a] replies the same at temperature 0, repeated and next to other jobs', async () => {
      const first = await ask()
      expect(first.text).not.toBe('')
      const [beside] = await Promise.all([ask(), askOthers()])
      expect(beside.text).toBe(first.text)
      expect((await ask()).text).toBe(first.text)
    })

  if (harness.features.includes('logprobs'))
    it('[W1a] takes the likeliest tokens at temperature 0, alone and next to other jobs', async () => {
      expectLikeliest((await ask({ logprobs: { top: 1 } })).logprobs)
      const [beside] = await Promise.all([ask({ logprobs: { top: 1 } }), askOthers()])
      expectLikeliest(beside.logprobs)
    })

  it('draws differently each time at a high temperature', async () => {
    const replies = await Promise.all(Array.from({ length: 4 }, () => ask({ temperature: 1.8 })))
    expect(new Set(replies.map(({ text }) => text)).size).toBeGreaterThan(1)
  })

  if (harness.isSteady)
    it('takes the likeliest token with top_p 0, whatever the temperature', async () => {
      const [greedy, narrow] = await Promise.all([ask(), ask({ temperature: 2, topP: 0 })])
      expect(narrow.text).toBe(greedy.text)
    })
  else
    it('takes the likeliest token with top_p 0, whatever the temperature', async () => {
      expectLikeliest((await ask({ temperature: 2, topP: 0, logprobs: { top: 1 } })).logprobs)
    })
}

export function itTellsProbabilities({ ask }: Harness): void {
  it('[W9] gives each token its log probability and bytes', async () => {
    const { logprobs, text, usage } = await ask({ logprobs: { top: 0 } })
    expect(logprobs).toHaveLength(usage!.completionTokens)
    expect(Buffer.from(logprobs.flatMap(({ bytes }) => bytes)).toString()).toBe(text)
    for (const { logprob, top } of logprobs) {
      expect(logprob).toBeLessThanOrEqual(0)
      expect(top).toEqual([])
    }
  })

  it('[F69] lists the likeliest tokens in order, never below -9999', async () => {
    for (const { token, logprob, top } of (await ask({ logprobs: { top: 20 }, maxTokens: 6 })).logprobs) {
      expect(top).toHaveLength(20)
      expect(top.find((other) => other.token === token)?.logprob).toBe(logprob)
      expect(logprob).toBe(top[0]!.logprob)
      expect(top).toEqual(top.toSorted((a, b) => b.logprob - a.logprob))
      expect(top.reduce((sum, { logprob }) => sum + Math.exp(logprob), 0)).toBeLessThanOrEqual(1.001)
      expect(top.every(({ logprob }) => logprob >= -9999)).toBe(true)
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

  it('[E52] finds a stop sequence that spans several tokens, and writes nothing after it', async () => {
    const stopped = await ask({ logitBias: { [one.id]: 100 }, stop: [one.text.repeat(3)], maxTokens: 8 })
    expect([stopped.text, stopped.finishes]).toEqual([one.text.repeat(3), ['stop']])
  })

  it('avoids a token more the more often it was written', async () => {
    const forced = { logitBias: { [one.id]: 60 }, maxTokens: 70 }
    expect((await ask(forced)).text).toBe(one.text.repeat(70))
    const penalised = await ask({ ...forced, frequencyPenalty: 2 })
    expect(penalised.text.startsWith(one.text.repeat(10))).toBe(true)
    expect(penalised.text).not.toBe(one.text.repeat(70))
  })
}
