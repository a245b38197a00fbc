// What the fields of a request do on their way to a device and back. An example of each kind of mistake shows that it reaches the client as an
// error: read-chat-request.test.ts has the table of all of them.

import { FEATURES, type Feature } from '@hearth/protocol'
import { describe, expect, it } from 'vitest'
import { expectCompletion, expectError } from '../harness/client/expect-reply.ts'
import type { CompletionBody } from '../harness/client/reply-shapes.ts'
import { DISABLED, FULL, HI, lastJob, PAIR, PLAIN, UNKNOWN } from '../harness/start-system.ts'
import { system } from './shared-system.ts'

const { client, full, plain } = system

const TOOL = {
  type: 'function',
  function: { name: 'get_weather', parameters: { type: 'object', properties: { city: { type: 'string' } } } },
}
const SCHEMA = {
  type: 'object',
  properties: { a: { type: 'integer' } },
  required: ['a'],
  additionalProperties: false,
}
const CALL = { id: 'call_1', type: 'function', function: { name: 'f', arguments: '{"a":1}' } }
const JOB_CALL = { id: 'call_1', name: 'f', arguments: '{"a":1}' }
const FUNCTIONS = [{ name: 'get_weather', description: 'd', parameters: SCHEMA }]
/** A schema with names and values that something might change on the way. */
const NAMED = {
  name: 'my-name_1',
  description: 'd',
  schema: { ...SCHEMA, $schema: 'x', $defs: { deep: { anyOf: [{ type: 'null' }, { enum: ['é', 1, null] }] } } },
}

async function ask(fields: object, model = FULL) {
  return client.post({ model, messages: HI, ...fields })
}

async function accepted(fields: object): Promise<CompletionBody> {
  return expectCompletion(await ask(fields))
}

function said(...messages: unknown[]) {
  return { messages: [...HI, ...messages] }
}

function format(json_schema: object) {
  return { response_format: { type: 'json_schema', json_schema } }
}

describe('a request', () => {
  it.each<[rule: string, fields: object, code: string, param: string]>([
    ['[D35]', said({ role: 'user' }), 'missing_required_parameter', 'messages[1].content'],
    ['[E45]', { temperature: 2.1 }, 'decimal_above_max_value', 'temperature'],
    ['[E47]', { top_p: -0.1 }, 'decimal_below_min_value', 'top_p'],
    ['[E54]', { stream: 'true' }, 'invalid_type', 'stream'],
    ['[F65a]', { tools: [TOOL], tool_choice: 'required' }, 'unsupported_parameter', 'tool_choice'],
    ['[F66a]', { tools: [TOOL], parallel_tool_calls: false }, 'unsupported_parameter', 'parallel_tool_calls'],
    ['[F67b]', { functions: FUNCTIONS, function_call: { name: 'f' } }, 'unsupported_parameter', 'function_call'],
    ['[F70b]', { n: 9 }, 'integer_above_max_value', 'n'],
    ['[F71]', { logit_bias: { a: 1 } }, 'invalid_value', 'logit_bias'],
    ['[F72]', { reasoning_effort: 'xhigh' }, 'unsupported_value', 'reasoning_effort'],
    ['[F73]', { web_search_options: 'x' }, 'invalid_type', 'web_search_options'],
    ['[G78] [G78a]', { audio: {}, verbosity: 'low' }, 'unsupported_parameter', 'verbosity'],
  ])('%s is rejected before devices are considered, with %j', async (_, fields, code, param) => {
    const before = [full.jobs.length, plain.jobs.length]
    for (const model of [FULL, PLAIN]) expectError(await ask(fields, model), { status: 400, code, param })
    expect([full.jobs.length, plain.jobs.length]).toStrictEqual(before)
  })

  it.each<[rule: string, fields: object, job: object]>([
    [
      '[E45] [E47] [E53]',
      { temperature: 0, top_p: 0, presence_penalty: 0 },
      { temperature: 0, topP: 0, presencePenalty: 0 },
    ],
    ['[E50] [E51]', { stop: ['', 'x', ''] }, { stop: ['x'] }],
    ['[E51]', { stop: [''] }, {}],
    ['[E54]', { stream: null }, {}],
    ['[F60b] [F60c]', format({ name: 'n' }), { responseFormat: { type: 'json_object' } }],
    ['[F60c]', format({ ...NAMED, strict: true }), { responseFormat: { type: 'json_schema', ...NAMED } }],
    [
      '[F64b]',
      { tools: [{ type: 'function', function: { name: 'f.g-1', description: null, strict: true } }] },
      { tools: [{ name: 'f.g-1', strict: true }] },
    ],
    ['[F66]', { parallel_tool_calls: true }, {}],
    ['[F67]', { functions: FUNCTIONS, function_call: 'none' }, { tools: FUNCTIONS, toolChoice: 'none' }],
    ['[F71]', { logit_bias: { '5': -100, '7': 0.5 } }, { logitBias: { '5': -100, '7': 0.5 } }],
    ['[F72]', { reasoning_effort: 'high' }, { reasoningEffort: 'high' }],
  ])('%s reaches the device with %j', async (_, fields, job) => {
    await accepted(fields)
    expect(lastJob(full)).toStrictEqual({ model: FULL, messages: HI, ...job })
  })
})

describe('messages', () => {
  /** The messages as the device got them. */
  async function heard(...messages: unknown[]): Promise<unknown> {
    await accepted({ messages })
    return lastJob(full).messages
  }

  it('[D31] [D31b] [D44] reach the device with any role in any order, and their names', async () => {
    const roles = ['user', 'system', 'user', 'user', 'assistant', 'assistant']
    const messages = roles.map((role, index) => ({ role, name: `n${index}`, content: role }))
    expect(await heard(...messages)).toStrictEqual(messages)
  })

  it('[D31a] [D33] [D34] [D39] are text, whatever they were made of', async () => {
    const parts = [
      { type: 'text', text: 'a', cache_control: { type: 'ephemeral' } },
      { type: 'text', text: 'b' },
    ]
    expect(await heard({ role: 'developer', content: parts }, { role: 'user', content: [] })).toStrictEqual([
      { role: 'system', content: 'ab' },
      { role: 'user', content: '' },
    ])
  })

  it('[D36] [D40a] [D42a] [D42b] are calls and results, also without content', async () => {
    const call = { name: 'f', arguments: '{}' }
    expect(
      await heard(
        { role: 'assistant', tool_calls: [CALL] },
        { role: 'tool', content: 'x', tool_call_id: 'call_9' },
        { role: 'assistant', content: null, function_call: call },
        { role: 'function', name: 'f', content: null },
      ),
    ).toStrictEqual([
      { role: 'assistant', content: '', toolCalls: [JOB_CALL] },
      { role: 'tool', content: 'x', toolCallId: 'call_9' },
      { role: 'assistant', content: '', toolCalls: [{ id: 'call_legacy_0', ...call }] },
      { role: 'tool', name: 'f', content: '', toolCallId: 'call_legacy_0' },
    ])
  })

  it('[D41] [D43a] need a device with tools if they have calls or results', async () => {
    const call = said({ role: 'assistant', content: null, tool_calls: [CALL] })
    expectError(await ask(call, PLAIN), { status: 400, code: 'unsupported_by_node', param: 'messages[1].role' })
    expectCompletion(await ask(call))
    expectCompletion(await ask(said({ role: 'assistant', content: 'yo', tool_calls: [] }), PLAIN))
    expect(lastJob(plain).messages).toStrictEqual([...HI, { role: 'assistant', content: 'yo' }])
  })
})

describe('an answer', () => {
  it('[F70] [F70a] has as many choices as asked for, and one is counted', async () => {
    const { choices, usage } = await accepted({ n: 8 })
    expect(choices.map((choice) => choice.index)).toStrictEqual([0, 1, 2, 3, 4, 5, 6, 7])
    expect(usage).toStrictEqual({ prompt_tokens: 1, completion_tokens: 8, total_tokens: 9 })
  })

  it('[F73] [F73b] cites what a device found on the web', async () => {
    const citation = { url: 'https://example.test/a', title: 'A', start: 0, end: 2 }
    full.plan = { annotations: [citation] }
    const location = { city: 'Oslo', country: 'NO' }
    const user_location = { type: 'approximate', approximate: location }
    const { choices } = await accepted({ web_search_options: { search_context_size: 'high', user_location } })
    expect(lastJob(full).webSearch).toStrictEqual({ contextSize: 'high', location })
    expect(choices[0]!.message.annotations).toStrictEqual([
      { type: 'url_citation', url_citation: { url: citation.url, title: 'A', start_index: 0, end_index: 2 } },
    ])
  })
})

describe('what a device rejects', () => {
  it.each([
    ['[F60a]', format({ name: 'n', schema: { not: {} } }), 'invalid_json_schema', 'response_format'],
    ['[F64c]', { tools: [TOOL] }, 'invalid_function_parameters', 'tools[0].function.parameters'],
    ['[F71a]', { logit_bias: { '99999999': 1 } }, 'invalid_value', 'logit_bias'],
    ['[F73a]', {}, 'context_length_exceeded', 'messages'],
  ] as const)('%s is a 400 with its words: %j', async (_, fields, code, param) => {
    const message = 'In the words of the device.'
    full.plan = { failure: { code, message, param } }
    for (const stream of [false, true])
      expect(expectError(await ask({ ...fields, stream }), { status: 400, code, param }).message).toBe(message)
    expect(full.jobs.at(-1)!.attempt).toBe(full.jobs.at(-2)!.attempt)
  })
})

describe('features', () => {
  const NEEDS: [field: string, fields: object, feature: Feature][] = [
    ['stream_options', { stream: true, stream_options: { include_usage: true } }, 'usage'],
    ['response_format', { response_format: { type: 'json_object' } }, 'json_object'],
    ['response_format', format({ name: 'n', schema: SCHEMA }), 'json_schema'],
    ['tools', { tools: [TOOL] }, 'tools'],
    ['logprobs', { logprobs: true }, 'logprobs'],
    ['n', { n: 2 }, 'n'],
    ['logit_bias', { logit_bias: { '1': 1 } }, 'logit_bias'],
    ['reasoning_effort', { reasoning_effort: 'low' }, 'reasoning_effort'],
    ['web_search_options', { web_search_options: {} }, 'web_search'],
  ]

  it.each(NEEDS)('[F55] decide whether %s %j is accepted, at once', async (param, fields) => {
    const error = expectError(await ask(fields, PLAIN), { status: 400, code: 'unsupported_by_node', param })
    expect(error.message).toContain(param)
    expect(error.message).toMatch(/update the device app/i)
    expect(error.message).toContain('a local server such as Ollama')
    expect((await ask(fields)).status).toBe(200)
  })

  it('[F55] are all tested that a field asks for', () => {
    // No field asks for these: the organization's settings do, the gateway itself, and hearth-seal.
    const unasked = new Set<Feature>(['prefix_scope', 'resume', 'sealed'])
    const asked = FEATURES.filter((feature) => !unasked.has(feature))
    expect(new Set(NEEDS.map(([, , feature]) => feature))).toStrictEqual(new Set(asked))
  })

  it('[F57] [F57a] choose a device that has them all', async () => {
    await using counting = await system.connectDevice({ models: [{ name: PAIR, features: ['logprobs', 'tools'] }] })
    await using choosing = await system.connectDevice({ models: [{ name: PAIR, features: ['n'] }] })
    for (let round = 0; round < 3; round += 1) {
      expectCompletion(await ask({ logprobs: true }, PAIR))
      expectCompletion(await ask({ n: 2 }, PAIR))
    }
    expect(counting.jobs.map((job) => job.request.logprobs !== undefined)).toStrictEqual([true, true, true])
    expect(choosing.jobs.map((job) => job.request.n)).toStrictEqual([2, 2, 2])
    const error = expectError(await ask({ logprobs: true, n: 2 }, PAIR), { status: 400, code: 'unsupported_by_node' })
    expect(['logprobs', 'n']).toContain(error.param)
    expect(error.message).toMatch(/logprobs|'n'/)
  })
})

describe('ignored fields', () => {
  const HEADER = 'x-service-ignored-params'
  /** In the order of the interface. None is checked. */
  const IGNORED = {
    seed: false,
    user: '',
    safety_identifier: 's',
    store: [],
    metadata: { canary: 'meta-canary' },
    service_tier: 'bogus',
    prompt_cache_key: 'k',
    prompt_cache_retention: '24h',
    prompt_cache_options: 0,
  }

  it('[G74] [G74a] [G76] are listed once, and nothing is done with them', async () => {
    const answer = await ask(Object.fromEntries(Object.entries(IGNORED).toReversed()))
    expectCompletion(answer)
    expect(answer.headers.get(HEADER)).toBe(Object.keys(IGNORED).join(','))
    expect(lastJob(full)).toStrictEqual({ model: FULL, messages: HI })
    for (const word of ['meta-canary', 'service_tier', 'metadata']) expect(answer.text).not.toContain(word)
  })

  it('[G77] are listed on streams and on errors that come later', async () => {
    const { headers, done } = await client.stream({ model: FULL, messages: HI, seed: 1, store: false })
    expect([headers.get(HEADER), done]).toStrictEqual(['seed,store', true])
    full.plan = { failure: { code: 'context_length_exceeded' } }
    for (const [fields, code] of [
      [{ model: UNKNOWN }, 'model_not_found'],
      [{ model: DISABLED }, 'model_disabled'],
      [{ model: PLAIN, n: 2 }, 'unsupported_by_node'],
      [{ stream: true }, 'context_length_exceeded'],
      [{ stream: false }, 'context_length_exceeded'],
    ] as const) {
      const answer = await ask({ ...fields, user: 'ada' })
      expect(answer.json).toMatchObject({ error: { code } })
      expect(answer.headers.get(HEADER)).toBe('user')
    }
  })
})
