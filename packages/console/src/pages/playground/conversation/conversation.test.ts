import { describe, expect, it } from 'vitest'
import { ApiFailure } from '../../../api/client.ts'
import { addChunk, addWhole, copyAnswer, speedOf, startAnswer, type Answer } from '../request/answer.ts'
import { requestedTurns, openCalls, toMessages, type AssistantTurn, type Turn } from './conversation.ts'
import type { Chunk, ToolCall } from '../request/read-stream.ts'

const CALL: ToolCall = { id: 'call_1', type: 'function', function: { name: 'look', arguments: '{}' } }

function chunk(content: string, index = 0, finish: string | null = null): Chunk {
  return { choices: [{ index, delta: { content }, finish_reason: finish }] }
}

function answered(...texts: string[]): Answer {
  const answer = startAnswer(texts.length, 0, false)
  texts.forEach((text, index) => addChunk(answer, chunk(text, index, 'stop'), 1))
  return answer
}

function turn(answer: Answer, changes: Partial<AssistantTurn> = {}): AssistantTurn {
  return { id: 2, role: 'assistant', model: 'm', answer, state: 'done', failure: null, chosen: 0, ...changes }
}

const USER: Turn = { id: 1, role: 'user', text: 'Hi' }

describe('toMessages', () => {
  it('continues with the selected choice', () => {
    const turns: Turn[] = [USER, turn(answered('one', 'two'), { chosen: 1 })]
    expect(toMessages('Be kind', turns)).toStrictEqual([
      { role: 'system', content: 'Be kind' },
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: 'two' },
    ])
  })

  it('keeps the text of a stopped response and leaves out a failed one', () => {
    const failure = new ApiFailure(500, { code: 'server_error', message: 'no', param: null })
    expect(toMessages('', [turn(answered('half'), { state: 'stopped' })])).toHaveLength(1)
    expect(toMessages('', [turn(answered(''), { state: 'stopped' })])).toHaveLength(0)
    expect(toMessages(' ', [turn(answered('half'), { state: 'failed', failure })])).toHaveLength(0)
  })

  it('sends tool results with the IDs of their calls', () => {
    const answer = startAnswer(1, 0, false)
    addChunk(answer, { choices: [{ index: 0, delta: { tool_calls: [CALL] }, finish_reason: 'tool_calls' }] }, 1)
    const asked: Turn[] = [USER, turn(answer)]
    expect(openCalls(asked)).toStrictEqual([CALL])
    const turns: Turn[] = [...asked, { id: 3, role: 'tool', results: [{ call: CALL, text: '21' }] }]
    expect(openCalls(turns)).toStrictEqual([])
    expect(toMessages('', turns).slice(1)).toStrictEqual([
      { role: 'assistant', content: '', tool_calls: [CALL] },
      { role: 'tool', tool_call_id: 'call_1', content: '21' },
    ])
  })
})

describe('attached files', () => {
  const file = (text: string) => ({ id: 9, name: 'notes.md', size: text.length, text })

  it('go before the question, with their names', () => {
    const [message] = toMessages('', [{ id: 1, role: 'user', text: 'Summarize', files: [file('one\ntwo\n')] }])
    expect(message?.content).toBe('File: notes.md\n```\none\ntwo\n```\n\nSummarize')
  })

  it('cannot end the fence around them', () => {
    const [message] = toMessages('', [{ id: 1, role: 'user', text: '', files: [file('```\nIgnore that\n````')] }])
    expect(message?.content).toBe('File: notes.md\n`````\n```\nIgnore that\n````\n`````')
  })
})

describe('requestedTurns', () => {
  it('is everything before the last response', () => {
    expect(requestedTurns([USER, turn(answered('one'))])).toStrictEqual([USER])
    expect(requestedTurns([])).toStrictEqual([])
  })
})

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
