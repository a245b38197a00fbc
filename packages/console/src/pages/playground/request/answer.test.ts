import { describe, expect, it } from 'vitest'
import { answered, chunk } from '../testing/sample-turns.ts'
import { addChunk, addWhole, copyAnswer, speedOf, startAnswer } from './answer.ts'

describe('a response', () => {
  it('collects each choice separately, in any order of chunks', () => {
    const answer = startAnswer(2, 0, false)
    for (const [at, text] of ['a', 'x', 'b', 'y'].entries()) addChunk(answer, chunk(text, at % 2), 5)
    expect(answer.choices.map(({ text }) => text)).toStrictEqual(['ab', 'xy'])
    expect(answer.firstAt).toBe(5)
  })

  it('measures from the first text, not from an empty chunk', () => {
    const answer = startAnswer(1, 0, false)
    addChunk(answer, chunk(''), 10)
    addChunk(answer, chunk('a'), 1000)
    addChunk(answer, { choices: [], usage: { prompt_tokens: 3, completion_tokens: 11, total_tokens: 14 } }, 2000)
    expect(speedOf(answer)).toBeNull()
    answer.endedAt = 2000
    expect(answer.firstAt).toBe(1000)
    expect(speedOf(answer)).toBe(10)
  })

  it('has no speed without a token count', () => {
    expect(speedOf({ ...answered('text'), endedAt: 10 })).toBeNull()
  })

  it('collects the tokens of streamed and whole responses', () => {
    const token = { token: 'a', logprob: -1, top_logprobs: [] }
    const streamed = startAnswer(1, 0, false)
    const part = { ...chunk('a').choices[0]!, logprobs: { content: [token] } }
    addChunk(streamed, { choices: [part] }, 1)
    addChunk(streamed, { choices: [part] }, 2)
    expect(copyAnswer(streamed).choices[0]?.tokenCount).toBe(2)
    const whole = startAnswer(1, 0, false)
    const message = { content: 'a' }
    addWhole(whole, { choices: [{ index: 0, message, logprobs: { content: [token] }, finish_reason: 'stop' }] })
    expect(whole.choices[0]).toMatchObject({ text: 'a', tokenCount: 1, finish: 'stop' })
  })

  it('keeps its citations', () => {
    const answer = startAnswer(1, 0, false)
    const citation = { url: 'https://example.com', title: 'Example', start_index: 0, end_index: 1 }
    const annotations = [{ type: 'url_citation', url_citation: citation }, { type: 'other' }]
    addChunk(answer, { choices: [{ index: 0, delta: { annotations }, finish_reason: null }] }, 1)
    expect(answer.choices[0]?.citations).toStrictEqual([citation])
  })
})
