// The same requests in the clear and through hearth-seal: clients get the same bytes, apart from ids, times, and leave for pages to read them.

import { FEATURES } from '@hearth/protocol'
import type { JobPlan } from '@hearth/gateway/testing'
import { afterAll, describe, expect, it } from 'vitest'
import { SCHEMA, TOOL } from '../harness/ask-device.ts'
import type { Answer, CallOptions, Client } from '../harness/client/client.ts'
import { DISABLED, FULL, HI, LONELY, OTHERS, PAIR, PLAIN, startSystem, UNKNOWN } from '../harness/start-system.ts'

const system = await startSystem({ isSealed: true, settings: { DEVICE_WAIT_MS: '200' } })
afterAll(async () => system[Symbol.asyncDispose]())
const { client: sealed, oneGateway: plain, full, keys } = system

const CALLS = [
  { id: 'call_a', name: 'get_weather', arguments: '{"city":"Oslo"}' },
  { id: 'call_b', name: 'get_weather', arguments: '' },
]
const CITED = [{ url: 'https://a.test/', title: 'A', start: 0, end: 2 }]
const ODD_TEXT = ['😀', '漢字', 'a\u2028b\u2029c', '\r\n\n', '"\\', '\u0000', 'x\uD83D', '\uDE00y', 'data: [DONE]\n\n']
const WEATHER = [
  { role: 'system', content: 'Be brief' },
  { role: 'user', content: [{ type: 'text', text: 'Weather?' }] },
  {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: 'c', type: 'function', function: { name: 'get_weather', arguments: '{}' } }],
  },
  { role: 'tool', tool_call_id: 'c', content: 'Rain' },
]
const schemaOf = (schema: object) => ({ type: 'json_schema', json_schema: { name: 'n', schema } })

const REPLIES: [name: string, fields: object, plan: JobPlan][] = [
  ['text', {}, {}],
  ['text of odd characters', {}, { text: ODD_TEXT }],
  ['no text', {}, { text: '' }],
  ['much text', {}, { tokens: 500, tokensPerMessage: 50 }],
  ['a conversation with tools', { messages: WEATHER, tools: [TOOL] }, { echoesJob: true }],
  ['three choices', { n: 3 }, {}],
  ['a stop sequence', { stop: ['2 t', 'nothing'] }, {}],
  ['a limit', { max_tokens: 3 }, {}],
  ['logprobs', { logprobs: true, top_logprobs: 2 }, {}],
  ['logprobs of odd characters', { logprobs: true }, { text: ODD_TEXT.slice(0, 6) }],
  ['calls', { tools: [TOOL], n: 2 }, { calls: CALLS }],
  ['text and calls', { tools: [TOOL] }, { text: 'So: ', calls: CALLS }],
  ['a function call', { functions: [TOOL.function] }, { calls: CALLS.slice(0, 1) }],
  ['a schema', { response_format: schemaOf(SCHEMA) }, { text: '{"a":1}' }],
  ['an object', { response_format: { type: 'json_object' } }, { text: '{}' }],
  ['citations', { web_search_options: {} }, { text: 'hi', annotations: CITED }],
  ['a limit of the model', {}, { finish: 'length' }],
  ['no count', {}, { usage: 'none' }],
  ['a count with details', {}, { usage: { promptTokens: 9, completionTokens: 4, cachedTokens: 3 } }],
  ['ignored fields', { seed: 1, user: 'ada', store: false }, {}],
  [
    'all numbers',
    { temperature: 0.5, top_p: 0.1, frequency_penalty: 1, presence_penalty: -1, logit_bias: { '1': 5 } },
    {},
  ],
]

const FAILURES: [name: string, plan: JobPlan][] = [
  ['a failed engine', { failure: {} }],
  ['an engine that fails on the way', { failure: { at: 3, message: 'The engine stopped' } }],
  [
    'a conversation that is too long',
    { failure: { code: 'context_length_exceeded', message: 'Too long', param: 'messages' } },
  ],
  [
    'a schema that cannot be enforced',
    { failure: { code: 'invalid_json_schema', message: 'No', param: 'response_format' } },
  ],
  ['a crashed engine', { failure: { crashed: true } }],
  ['an engine worth a retry', { failure: { retryable: true } }],
  ['a device that refuses', { refuse: 'busy' }],
]

const ERRORS: [name: string, path: string, options: CallOptions][] = [
  ['no key', '/chat/completions', { key: null, body: { model: FULL, messages: HI } }],
  ['a wrong key', '/chat/completions', { key: 'sk-hearth-wrong', body: { model: FULL, messages: HI } }],
  ['a revoked key', '/chat/completions', { key: keys.revoked, body: { model: FULL, messages: HI } }],
  ['a wrong key and a wrong body', '/chat/completions', { key: 'sk-hearth-wrong', body: '{' }],
  ['an unknown model', '/chat/completions', { body: { model: UNKNOWN, messages: HI, user: 'ada' } }],
  ['a disabled model', '/chat/completions', { body: { model: DISABLED, messages: HI } }],
  ['a model of others', '/chat/completions', { body: { model: OTHERS, messages: HI } }],
  ['a model that no device serves', '/chat/completions', { body: { model: LONELY, messages: HI, seed: 1 } }],
  ['a field that no device supports', '/chat/completions', { body: { model: PLAIN, messages: HI, n: 2 } }],
  ['no JSON', '/chat/completions', { body: '{"model":' }],
  ['an empty body', '/chat/completions', { method: 'POST' }],
  ['a list', '/chat/completions', { body: '[]' }],
  ['deep JSON', '/chat/completions', { body: '['.repeat(100) }],
  ['another content type', '/chat/completions', { body: 'x', headers: { 'content-type': 'text/csv' } }],
  ['an unknown encoding', '/chat/completions', { body: '{}', headers: { 'content-encoding': 'x' } }],
  ['no messages', '/chat/completions', { body: { model: FULL } }],
  ['a wrong type', '/chat/completions', { body: { model: FULL, messages: HI, temperature: 'hot' } }],
  ['a number too large', '/chat/completions', { body: { model: FULL, messages: HI, n: 9 } }],
  ['a field that is not supported', '/chat/completions', { body: { model: FULL, messages: HI, audio: {} } }],
  ['a mistyped field', '/chat/completions', { body: { model: FULL, messages: HI, max_token: 1, n: 0 } }],
  ['a wrong method', '/chat/completions', { method: 'DELETE' }],
  ['another operation', '/responses', { body: {} }],
  ['an unknown path', '/nope', {}],
  ['an unknown model to look up', `/models/${UNKNOWN}`, {}],
]

/** Times differ, and pages may read nothing of hearth-seal. */
const DIFFERENT = /^(date|x-hearth-queue-ms|access-control-.*)$/

function seen({ status, headers, text }: Answer): object {
  const kept = [...headers].filter(([name]) => !DIFFERENT.test(name))
  return {
    status,
    headers: Object.fromEntries(kept.map(([name, value]) => [name, withoutIds(value)])),
    text: withoutIds(text),
  }
}

function withoutIds(text: string): string {
  return text.replaceAll(/(chatcmpl-|call_|req_)[0-9a-f]{24,32}/g, '$1').replaceAll(/"created":\d{10}/g, '"created":0')
}

async function expectSame(ask: (client: Client) => Promise<Answer>): Promise<Answer> {
  const inClear = await ask(plain)
  expect(seen(await ask(sealed))).toStrictEqual(seen(inClear))
  return inClear
}

it('compares two ways', () => {
  expect(sealed.base).not.toBe(plain.base)
})

describe.each([false, true])('stream %s', (stream) => {
  const options = stream ? { stream, stream_options: { include_usage: true } } : {}

  it.each(REPLIES)('replies the same with %s', async (_, fields, plan) => {
    full.plan = plan
    const answer = await expectSame((client) => client.post({ model: FULL, messages: HI, ...options, ...fields }))
    expect(answer.status).toBe(200)
  })

  it.each(FAILURES)('fails the same after %s', async (_, plan) => {
    await using device = await system.connectDevice({
      models: [{ name: PAIR, slots: 4, features: [...FEATURES] }],
      plan,
    })
    await expectSame((client) => client.post({ model: PAIR, messages: HI, ...options }))
    expect(device.jobs.length).toBeGreaterThanOrEqual(2)
  })

  it('fails the same after a lost device', async () => {
    const models = [{ name: LONELY, features: ['usage' as const] }]
    const answer = await expectSame(async (client) => {
      await using _ = await system.connectDevice({ models, plan: { crashAt: 3 } })
      return await client.post({ model: LONELY, messages: HI, ...options })
    })
    expect(answer.text).toContain('server_error')
  })
})

it.each(ERRORS)('rejects the same: %s', async (_, path, options) => {
  const answer = await expectSame((client) => client.call(path, options))
  expect(answer.status).toBeGreaterThanOrEqual(400)
})

it.each(['/models', `/models/${FULL}`])('passes on %s', async (path) => {
  const answer = await expectSame((client) => client.call(path))
  expect(answer.status).toBe(200)
})
