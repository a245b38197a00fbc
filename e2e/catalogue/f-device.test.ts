import { FEATURES, type Feature } from '@hearth/protocol'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { askDevice, SCHEMA, TOOL } from '../harness/ask-device.ts'
import { expectCompletion, expectError } from '../harness/client/expect-reply.ts'
import { FULL, HI, lastJob, LONELY, PAIR, PLAIN, startSystem } from '../harness/start-system.ts'

const system = await startSystem()
afterAll(async () => system[Symbol.asyncDispose]())
const { client, full, plain } = system

beforeEach(() => {
  full.plan = {}
})

const { ask, accepted, sent, rejected } = askDevice(system)

const NEEDS: [field: string, fields: object, feature: Feature][] = [
  ['stream_options', { stream: true, stream_options: { include_usage: true } }, 'usage'],
  ['response_format', { response_format: { type: 'json_object' } }, 'json_object'],
  [
    'response_format',
    { response_format: { type: 'json_schema', json_schema: { name: 'n', schema: SCHEMA } } },
    'json_schema',
  ],
  ['tools', { tools: [TOOL] }, 'tools'],
  ['tools', { tools: [TOOL], tool_choice: 'auto' }, 'tools'],
  ['functions', { functions: [{ name: 'f' }] }, 'tools'],
  ['logprobs', { logprobs: true }, 'logprobs'],
  ['n', { n: 2 }, 'n'],
  ['logit_bias', { logit_bias: { '1': 1 } }, 'logit_bias'],
  ['reasoning_effort', { reasoning_effort: 'low' }, 'reasoning_effort'],
  ['web_search_options', { web_search_options: {} }, 'web_search'],
]

describe('features', () => {
  it.each(NEEDS)('[F55] rejects %s %j at once if no device has it', async (param, fields) => {
    const error = expectError(await ask(fields, PLAIN), { status: 400, code: 'unsupported_by_node', param })
    expect(error.message).toContain(param)
    expect(error.message).toMatch(/update the device app/i)
  })

  it.each(NEEDS)('[F55] accepts %s %j if the device has it', async (_, fields) => {
    const answer = await client.call('/chat/completions', { body: { model: FULL, messages: HI, ...fields } })
    expect(answer.status).toBe(200)
  })

  it.each([
    { n: 1 },
    { logprobs: false },
    { response_format: { type: 'text' } },
    { tools: [] },
    { functions: [] },
    { tool_choice: 'none' },
    { tool_choice: 'auto' },
    { function_call: 'none' },
    { function_call: 'auto' },
    { tools: [], tool_choice: 'auto' },
    { logit_bias: {} },
    { parallel_tool_calls: true },
    { stream: true, stream_options: { include_usage: false } },
    { stream: true, stream_options: {} },
    { stream: true, stream_options: { include_obfuscation: true } },
    Object.fromEntries(NEEDS.map(([field]) => [field, null])),
  ])('[F56] needs no feature for %j', async (fields) => {
    const answer = await client.call('/chat/completions', { body: { model: PLAIN, messages: HI, ...fields } })
    expect({ status: answer.status, text: answer.text }).toMatchObject({ status: 200 })
    expect(lastJob(plain)).toStrictEqual({ model: PLAIN, messages: HI })
  })

  it('[F57] [F57a] chooses a device that has them all', async () => {
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

  it('[F58] waits until a device shows which it has', async () => {
    const pending = ask({ logprobs: true }, LONELY)
    await system.queued(1)
    await using late = await system.connectDevice({ models: [{ name: LONELY, features: [] }] })
    expectError(await pending, { status: 400, code: 'unsupported_by_node', param: 'logprobs' })
    expect(late.jobs).toHaveLength(0)
  })
})

describe('stream_options', () => {
  it.each([{}, { stream: false }, { stream: null }])('[F59] needs a stream: %j', async (stream) => {
    for (const stream_options of [{}, { include_usage: true }, { include_usage: false }])
      await rejected({ ...stream, stream_options }, 'invalid_value', 'stream_options')
  })

  it('[F59a] is an object with a boolean', async () => {
    for (const stream_options of ['x', 5, [], true])
      await rejected({ stream: true, stream_options }, 'invalid_type', 'stream_options')
    await rejected(
      { stream: true, stream_options: { include_usage: 'yes' } },
      'invalid_type',
      'stream_options.include_usage',
    )
  })

  it('[F59b] ignores other options', async () => {
    const stream = await client.stream({
      model: FULL,
      messages: HI,
      stream_options: { include_obfuscation: 'x', include_usage: true },
    })
    expect(stream.chunks.at(-1)!.usage).toMatchObject({ completion_tokens: 8 })
  })
})

describe('logprobs', () => {
  it('[F68] [F68a] has an entry for each token, only if asked', async () => {
    const { choices } = await accepted({ logprobs: true })
    const entries = choices[0]!.logprobs!.content
    expect(entries.map((entry) => entry.token).join('')).toBe(choices[0]!.message.content)
    expect(entries).toHaveLength(8)
    for (const entry of entries)
      expect(entry).toStrictEqual({
        token: entry.token,
        logprob: -0.25,
        bytes: [...Buffer.from(entry.token)],
        top_logprobs: [],
      })
    expect(choices[0]!.logprobs!.refusal).toBeNull()
    expect((await accepted({})).choices[0]!.logprobs).toBeNull()
    expect((await accepted({ logprobs: false })).choices[0]!.logprobs).toBeNull()
  })

  it('[F68] streams the entries with their text', async () => {
    const { chunks } = await client.stream({ model: FULL, messages: HI, logprobs: true, top_logprobs: 1 })
    for (const { delta, logprobs, finish_reason } of chunks.flatMap((chunk) => chunk.choices)) {
      if (delta.role !== undefined || finish_reason !== null) expect(logprobs).toBeNull()
      else expect(logprobs!.content.map((entry) => entry.token).join('')).toBe(delta.content)
    }
  })

  it.each([0, 1, 20])('[F69] gives up to %i alternatives', async (top_logprobs) => {
    const { choices } = await accepted({ logprobs: true, top_logprobs })
    expect(lastJob(full).logprobs).toStrictEqual({ top: top_logprobs })
    for (const entry of choices[0]!.logprobs!.content) expect(entry.top_logprobs).toHaveLength(top_logprobs)
  })

  it('[F69] [F69a] has bounds and needs logprobs', async () => {
    await rejected({ logprobs: true, top_logprobs: 21 }, 'integer_above_max_value', 'top_logprobs')
    await rejected({ logprobs: true, top_logprobs: -1 }, 'integer_below_min_value', 'top_logprobs')
    for (const top_logprobs of [1.5, '1', true])
      await rejected({ logprobs: true, top_logprobs }, 'invalid_type', 'top_logprobs')
    for (const top_logprobs of [0, 5]) {
      await rejected({ top_logprobs }, 'invalid_value', 'top_logprobs')
      await rejected({ logprobs: false, top_logprobs }, 'invalid_value', 'top_logprobs')
    }
    await accepted({ top_logprobs: null })
    for (const logprobs of ['x', 1, {}]) await rejected({ logprobs }, 'invalid_type', 'logprobs')
  })
})

describe('choices', () => {
  it('[F70] [F70a] come in the number asked for, and one is counted', async () => {
    const { choices, usage } = await accepted({ n: 8 })
    expect(choices.map((choice) => choice.index)).toStrictEqual([0, 1, 2, 3, 4, 5, 6, 7])
    expect(usage).toStrictEqual({ prompt_tokens: 1, completion_tokens: 8, total_tokens: 9 })
    expect((await accepted({ n: 1 })).choices).toHaveLength(1)
  })

  it('[F70b] are one to eight', async () => {
    await rejected({ n: 0 }, 'integer_below_min_value', 'n')
    await rejected({ n: 9 }, 'integer_above_max_value', 'n')
    for (const n of ['2', 1.5, true, []]) await rejected({ n }, 'invalid_type', 'n')
  })
})

describe('bias, effort and search', () => {
  it('[F71] maps token ids to numbers', async () => {
    expect(await sent({ logit_bias: { '5': -100, '0': 100, '7': 0.5 } })).toStrictEqual({
      logitBias: { '5': -100, '0': 100, '7': 0.5 },
    })
    const error = await rejected({ logit_bias: { '5': 101 } }, 'integer_above_max_value')
    expect(error.param).toMatch(/^logit_bias/)
    await rejected({ logit_bias: { '5': -101 } }, 'integer_below_min_value')
    for (const key of ['a', '-1', '1.5', '', ' 1']) await rejected({ logit_bias: { [key]: 1 } }, 'invalid_value')
    for (const logit_bias of [[], 'x', 5]) await rejected({ logit_bias }, 'invalid_type', 'logit_bias')
    await rejected({ logit_bias: { '5': 'x' } }, 'invalid_type')
  })

  it('[F71a] names a token id that the model does not have', async () => {
    const message = "Invalid key in 'logit_bias': 99999999. The token IDs of this model go from 0 to 151935."
    full.plan = { failure: { code: 'invalid_value', message, param: 'logit_bias' } }
    const error = await rejected({ logit_bias: { '99999999': 1 } }, 'invalid_value', 'logit_bias')
    expect(error.message).toBe(message)
    full.plan = {}
  })

  it.each(['low', 'medium', 'high'])('[F72] accepts the effort %s', async (reasoning_effort) => {
    expect(await sent({ reasoning_effort })).toStrictEqual({ reasoningEffort: reasoning_effort })
  })

  it.each(['minimal', 'none', 'xhigh', '', 'LOW'])('[F72] rejects the effort %j', async (reasoning_effort) => {
    const error = await rejected({ reasoning_effort }, 'unsupported_value', 'reasoning_effort')
    expect(error.message).toContain("'low', 'medium', and 'high'")
  })

  it('[F73] [F73b] searches on a device that can', async () => {
    const citation = { url: 'https://example.test/a', title: 'A', start: 0, end: 2 }
    full.plan = { annotations: [citation] }
    const search = {
      search_context_size: 'high',
      user_location: { type: 'approximate', approximate: { city: 'Oslo', country: 'NO' } },
    }
    const { choices } = await accepted({ web_search_options: search })
    expect(lastJob(full).webSearch).toStrictEqual({ contextSize: 'high', location: { city: 'Oslo', country: 'NO' } })
    expect(choices[0]!.message.annotations).toStrictEqual([
      { type: 'url_citation', url_citation: { url: citation.url, title: 'A', start_index: 0, end_index: 2 } },
    ])
    expect(await sent({ web_search_options: {} })).toStrictEqual({ webSearch: {} })
    for (const web_search_options of ['x', 5, []])
      await rejected({ web_search_options }, 'invalid_type', 'web_search_options')
  })

  it('[F73a] reports that the conversation is too long', async () => {
    full.plan = {
      failure: { code: 'context_length_exceeded', message: "This model's maximum context length is 8192 tokens." },
    }
    const error = await rejected({}, 'context_length_exceeded', 'messages')
    expect(error.message).toContain('8192')
    await rejected({ stream: true }, 'context_length_exceeded', 'messages')
    expect(full.jobs.at(-1)!.attempt).toBe(full.jobs.at(-2)!.attempt)
  })

  it('[F55] is tested for every feature a device can announce', () => {
    // No field asks for these: the organization's settings do, the gateway itself, and hearth-seal.
    const unasked = new Set<Feature>(['prefix_scope', 'resume', 'sealed'])
    const asked = FEATURES.filter((feature) => !unasked.has(feature))
    expect(new Set(NEEDS.map(([, , feature]) => feature))).toStrictEqual(new Set(asked))
  })
})
