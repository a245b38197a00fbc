import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { JOB_FIELD_NAMES } from './job-fields.ts'
import { parseChatJob } from './read-chat-job.ts'
import { ProtocolError } from '../read-fields.ts'
import { REQUESTS } from '../testing/golden-frames.ts'
import { isSealed } from './sealed-request.ts'

const call = { id: 'c', name: 'f', arguments: '{}' }

function rejection(change: Record<string, unknown>): string {
  try {
    parseChatJob(JSON.stringify({ model: 'm', messages: [], ...change }))
  } catch (error) {
    if (error instanceof ProtocolError) return error.message
    throw error
  }
  throw new Error('was read')
}

function inMessage(change: object): object {
  return { messages: [{ role: 'user', content: 'hi' }, change] }
}

describe('the fields of a job', () => {
  it.each(JOB_FIELD_NAMES)('%s is rejected by its name if it is invalid', (name) => {
    const mayBeEmpty = ['logitBias', 'webSearch', 'recovery'].includes(name)
    expect(rejection({ [name]: mayBeEmpty ? 'x' : {} })).toContain(`"${name}`)
  })

  it.each(['model', 'messages'])('%s is required', (name) => {
    expect(rejection({ [name]: null })).toBe(`"${name}" is missing`)
  })

  it.each<[string, object]>([
    ['messages[1]', { messages: [{ role: 'user', content: '' }, 'x'] }],
    ['messages[1].role', inMessage({ role: 'wizard', content: '' })],
    ['messages[1].content', inMessage({ role: 'user' })],
    ['messages[1].name', inMessage({ role: 'user', content: '', name: 5 })],
    ['messages[1].toolCallId', inMessage({ role: 'tool', content: '' })],
    ['messages[1].toolCalls', inMessage({ role: 'assistant', content: '', toolCalls: {} })],
    ['messages[1].toolCalls[0].id', inMessage({ role: 'assistant', content: '', toolCalls: [{ ...call, id: 1 }] })],
    ['messages[1].toolCalls[0].name', inMessage({ role: 'assistant', content: '', toolCalls: [{ ...call, name: 1 }] })],
    [
      'messages[1].toolCalls[0].arguments',
      inMessage({ role: 'assistant', content: '', toolCalls: [{ ...call, arguments: {} }] }),
    ],
    ['prefixScope.name', { prefixScope: { name: 1 } }],
    ['prefixScope.isSeparate', { prefixScope: { name: 'a', isSeparate: 'yes' } }],
    ['recovery.choices[0].length', { recovery: { choices: [{ tokens: [1] }] } }],
    ['tokens', { recovery: { choices: [{ tokens: [-1] }] } }],
    ['stop[1]', { stop: ['a', 1] }],
    ['n', { n: 9 }],
    ['maxTokens', { maxTokens: 1.5 }],
    ['logprobs.top', { logprobs: { top: 21 } }],
    ['logitBias', { logitBias: { cat: 1 } }],
    ['logitBias.7', { logitBias: { '7': 'x' } }],
    ['logitBias.7', { logitBias: { '7': 101 } }],
    ['responseFormat.type', { responseFormat: { type: 'text' } }],
    ['responseFormat.name', { responseFormat: { type: 'json_schema', schema: {} } }],
    ['responseFormat.description', { responseFormat: { type: 'json_schema', name: 'n', schema: {}, description: 1 } }],
    ['responseFormat.schema', { responseFormat: { type: 'json_schema', name: 'n', schema: [] } }],
    ['tools[0].name', { tools: [{}] }],
    ['tools[0].description', { tools: [{ name: 'f', description: 1 }] }],
    ['tools[0].parameters', { tools: [{ name: 'f', parameters: 'x' }] }],
    ['tools[0].strict', { tools: [{ name: 'f', strict: 'yes' }] }],
    ['toolChoice', { toolChoice: 'required' }],
    ['reasoningEffort', { reasoningEffort: 'huge' }],
    ['webSearch.contextSize', { webSearch: { contextSize: 'huge' } }],
    ['webSearch.location.city', { webSearch: { location: { city: 1 } } }],
    ['webSearch.location.timezone', { webSearch: { location: { timezone: 1 } } }],
  ])('%s is rejected by its path: %j', (path, change) => {
    expect(rejection({ ...change })).toContain(`"${path}" `)
  })

  it('count as absent if they are null, at every level', () => {
    const message = { role: 'assistant', content: '', name: null, toolCalls: null }
    const nulls = Object.fromEntries(JOB_FIELD_NAMES.map((name) => [name, null]))
    const job = { ...nulls, model: 'm', messages: [message], tools: [{ name: 'f', strict: null }], webSearch: {} }
    expect(parseChatJob(JSON.stringify(job))).toStrictEqual({
      model: 'm',
      messages: [{ role: 'assistant', content: '' }],
      tools: [{ name: 'f' }],
      webSearch: {},
    })
  })

  it('are read or rejected, whatever one of them holds', () => {
    const job = fc.constantFrom(...REQUESTS.filter((request) => !isSealed(request)))
    fc.assert(
      fc.property(job, fc.constantFrom(...JOB_FIELD_NAMES), fc.jsonValue(), (job, name, value) => {
        try {
          parseChatJob(JSON.stringify({ ...job, [name]: value }))
        } catch (error) {
          expect(error).toBeInstanceOf(ProtocolError)
          expect((error as Error).message).toContain(`"${name}`)
        }
      }),
      { numRuns: 500 },
    )
  })
})
