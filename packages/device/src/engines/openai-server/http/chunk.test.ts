import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readChunk } from './chunk.ts'

describe('readChunk', () => {
  it('never throws, whatever a server sends', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const chunk = readChunk({ choices: [value, { delta: value, logprobs: value }], usage: value, timings: value })
        expect(chunk.choices).toHaveLength(2)
      }),
    )
  })

  it('cuts log probabilities to what the gateway accepts', () => {
    const token = { token: 't'.repeat(5_000), logprob: -1, bytes: Array.from({ length: 600 }, () => 1) }
    const content = [{ ...token, top_logprobs: Array.from({ length: 30 }, () => token) }]
    const [read] = readChunk({ choices: [{ delta: {}, logprobs: { content } }] }).choices[0]!.logprobs
    const sizes = (one: { token: string; bytes: number[] }) => [one.token.length, one.bytes.length]
    expect([...sizes(read!), read!.top.length, ...sizes(read!.top[0]!)]).toEqual([4_096, 512, 20, 4_096, 512])
  })

  it('reads text from content parts', () => {
    const content = [
      { type: 'text', text: 'a' },
      { type: 'text', text: 'b' },
    ]
    expect(readChunk({ choices: [{ message: { content } }] }).choices[0]?.text).toBe('ab')
  })
})
