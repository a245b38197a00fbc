import { describe, expect, it } from 'vitest'
import { ApiError } from './errors.ts'
import { readChatRequest, type ChatRequest } from './read-chat-request.ts'
import { KNOWN_FIELDS } from './read/steps.ts'

const limits = { maxMessages: 8, maxTools: 4 }
const hi = [{ role: 'user', content: 'hi' }]

function read(fields: Record<string, unknown>): ChatRequest {
  return readChatRequest({ model: 'm', messages: hi, ...fields }, limits)
}

function fault(body: unknown): { code: string; param: string | null } {
  try {
    readChatRequest(body, limits)
  } catch (error) {
    if (error instanceof ApiError) return { code: error.code, param: error.param }
    throw error
  }
  throw new Error('was read')
}

function fieldFault(fields: Record<string, unknown>) {
  return fault({ model: 'm', messages: hi, ...fields })
}

function messageFault(message: unknown) {
  return fieldFault({ messages: [message] })
}

/** A zero, false or empty value of each field, and what a job has of it: a value that isn't sent would give way to the model's default. */
const ZEROS: Record<string, [value: unknown, job: object | 'rejected' | 'no effect']> = {
  model: ['', 'rejected'],
  messages: [[{ role: 'user', content: '', name: '' }], { messages: [{ role: 'user', content: '', name: '' }] }],
  stream: [false, 'no effect'],
  stream_options: [{ include_usage: false }, 'rejected'],
  temperature: [0, { temperature: 0 }],
  top_p: [0, { topP: 0 }],
  max_tokens: [0, 'rejected'],
  max_completion_tokens: [0, 'rejected'],
  // Never found in a text.
  stop: ['', 'no effect'],
  presence_penalty: [0, { presencePenalty: 0 }],
  frequency_penalty: [0, { frequencyPenalty: 0 }],
  n: [0, 'rejected'],
  response_format: [
    { type: 'json_schema', json_schema: { name: 'n', description: '', schema: {}, strict: false } },
    { responseFormat: { type: 'json_schema', name: 'n', description: '', schema: {} } },
  ],
  tools: [
    [{ type: 'function', function: { name: 'f', description: '', parameters: {}, strict: false } }],
    { tools: [{ name: 'f', description: '', parameters: {}, strict: false }] },
  ],
  tool_choice: ['', 'rejected'],
  parallel_tool_calls: [false, 'rejected'],
  functions: [[{ name: 'f', description: '' }], { tools: [{ name: 'f', description: '' }] }],
  function_call: ['', 'rejected'],
  reasoning_effort: ['', 'rejected'],
  logprobs: [false, 'no effect'],
  // Counts together with `logprobs`.
  top_logprobs: [0, 'rejected'],
  logit_bias: [{ 5: 0 }, { logitBias: { 5: 0 } }],
  web_search_options: [{}, { webSearch: {} }],
}

const REJECTED = new Set(['prediction', 'verbosity', 'moderation', 'modalities', 'audio'])

describe('zero is a value', () => {
  it.each(Object.entries(ZEROS))('[E53] of %s', (name, [value, expected]) => {
    if (expected === 'rejected') expect(fieldFault({ [name]: value }).param).toMatch(new RegExp(`^${name}|^body`))
    else
      expect(read({ [name]: value }).job).toStrictEqual({
        model: 'm',
        messages: hi,
        ...(expected === 'no effect' ? {} : expected),
      })
  })

  it('is listed above for every field that has an effect', () => {
    const others = KNOWN_FIELDS.filter((name) => !(name in ZEROS))
    const ignored = others.filter((name) => !REJECTED.has(name))
    expect(read(Object.fromEntries(ignored.map((name) => [name, 1]))).ignored).toEqual(ignored)
    for (const name of REJECTED) expect(fieldFault({ [name]: 1 }).code).toBe('unsupported_parameter')
  })

  it('[E53] of top_logprobs, with logprobs', () => {
    expect(read({ logprobs: true, top_logprobs: 0 }).job.logprobs).toEqual({ top: 0 })
  })
})

describe('the body as a whole', () => {
  it('names a field that looks mistyped in the message of an error', () => {
    expect(() => readChatRequest({ model: 'm', mesages: hi }, limits)).toThrow(
      "Missing required parameter: 'messages'. You sent 'mesages', which is not a known field. Did you mean 'messages'?",
    )
    expect(() => readChatRequest({ modle: 'm', messages: hi }, limits)).toThrow("Did you mean 'model'?")
    expect(read({ temprature: 1 }).ignored).toEqual([])
  })

  it.each([[[]], ['x'], [null], [5]])('[C24] rejects %j, which is not an object', (body) => {
    expect(fault(body).code).toBe('invalid_type')
  })

  it.each(['__proto__', 'constructor', 'toString'])('[C26d] treats %s as an unknown field', (name) => {
    const body: unknown = JSON.parse(
      `{"model":"m","messages":[{"role":"user","content":"hi","${name}":{"name":"eve"}}],"${name}":{"n":9}}`,
    )
    expect(readChatRequest(body, limits).job).toEqual({ model: 'm', messages: hi })
  })

  it('[C28] skips unknown fields without listing them', () => {
    const { job, ignored } = read({ top_k: 40, foo: { bar: 1 } })
    expect(job).toEqual({ model: 'm', messages: hi })
    expect(ignored).toEqual([])
  })

  it.each([
    [{ messages: hi }, 'missing_required_parameter', 'model'],
    [{ model: null, messages: hi }, 'missing_required_parameter', 'model'],
    [{ model: '', messages: hi }, 'missing_required_parameter', 'model'],
    [{ model: 5, messages: hi }, 'invalid_type', 'model'],
    [{ messages: 'x' }, 'missing_required_parameter', 'model'],
  ])('[C29] %j has no valid model', (body, code, param) => {
    expect(fault(body)).toEqual({ code, param })
  })

  it.each([
    [undefined, 'missing_required_parameter', 'messages'],
    [null, 'missing_required_parameter', 'messages'],
    [[], 'empty_array', 'messages'],
    ['x', 'invalid_type', 'messages'],
    [[1], 'invalid_type', 'messages[0]'],
    [[null], 'invalid_type', 'messages[0]'],
    [Array.from({ length: 9 }, () => hi[0]), 'array_above_max_length', 'messages'],
  ])('[C30] rejects messages %j', (messages, code, param) => {
    expect(fault({ model: 'm', messages })).toEqual({ code, param })
  })
})

describe('messages', () => {
  it('[D31a] makes developer and system the same', () => {
    expect(read({ messages: [{ role: 'developer', content: 'x' }] }).job).toEqual(
      read({ messages: [{ role: 'system', content: 'x' }] }).job,
    )
  })

  it.each([
    [{ content: 'x' }, 'missing_required_parameter', 'messages[0].role'],
    [{ role: 'bot', content: 'x' }, 'invalid_value', 'messages[0].role'],
    [{ role: 'User', content: 'x' }, 'invalid_value', 'messages[0].role'],
    [{ role: '', content: 'x' }, 'invalid_value', 'messages[0].role'],
    [{ role: null, content: 'x' }, 'missing_required_parameter', 'messages[0].role'],
    [{ role: 5, content: 'x' }, 'invalid_type', 'messages[0].role'],
  ])('[D32] rejects the role of %j', (message, code, param) => {
    expect(messageFault(message)).toEqual({ code, param })
  })

  it.each(['system', 'user', 'assistant', 'developer'])('[D33] joins text parts of %s without a separator', (role) => {
    const content = [
      { type: 'text', text: 'a' },
      { type: 'text', text: 'b', cache_control: {} },
    ]
    expect(read({ messages: [{ role, content }] }).job.messages[0]!.content).toBe('ab')
  })

  it.each([[''], [[]]])('[D34] reads content %j as empty text', (content) => {
    expect(read({ messages: [{ role: 'user', content }] }).job.messages[0]!.content).toBe('')
  })

  it.each([
    [{ role: 'user', content: null }, 'invalid_type'],
    [{ role: 'user' }, 'missing_required_parameter'],
    [{ role: 'user', content: 5 }, 'invalid_type'],
    [{ role: 'tool', tool_call_id: 'x', content: null }, 'invalid_type'],
  ])('[D35] rejects %j', (message, code) => {
    expect(messageFault(message)).toEqual({ code, param: 'messages[0].content' })
  })

  it('[D36] reads an assistant without content as empty text', () => {
    expect(read({ messages: [{ role: 'assistant', content: null }] }).job.messages[0]!.content).toBe('')
  })

  it.each(['image_url', 'input_audio', 'file', 'refusal', 'hologram'])(
    '[D37] rejects a part of type %s in any position',
    (type) => {
      const content = [{ type: 'text', text: 'a' }, { type }]
      expect(messageFault({ role: 'user', content })).toEqual({
        code: 'unsupported_content_part',
        param: 'messages[0].content[1].type',
      })
    },
  )

  it.each([
    [[{}], 'missing_required_parameter', 'messages[0].content[0].type'],
    [[{ type: 'text' }], 'missing_required_parameter', 'messages[0].content[0].text'],
    [[{ type: 'text', text: 5 }], 'invalid_type', 'messages[0].content[0].text'],
    [['x'], 'invalid_type', 'messages[0].content[0]'],
    [[null], 'invalid_type', 'messages[0].content[0]'],
    [[{ type: 7 }], 'invalid_type', 'messages[0].content[0].type'],
  ])('[D38] rejects the parts %j', (content, code, param) => {
    expect(messageFault({ role: 'user', content })).toEqual({ code, param })
  })

  it('[D40] [D40a] requires the id of the call in a tool result, but not the call', () => {
    expect(messageFault({ role: 'tool', content: 'x' })).toEqual({
      code: 'missing_required_parameter',
      param: 'messages[0].tool_call_id',
    })
    expect(read({ messages: [{ role: 'tool', content: 'x', tool_call_id: 'c' }] }).job.messages).toEqual([
      { role: 'tool', content: 'x', toolCallId: 'c' },
    ])
  })

  it('[D41] needs tools from the first message that mentions a call or a result', () => {
    const call = { id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }
    expect(read({ messages: [...hi, { role: 'assistant', tool_calls: [call] }] }).demands).toEqual([
      { feature: 'tools', param: 'messages[1].role' },
    ])
    expect(read({ messages: [{ role: 'function', name: 'f', content: null }] }).demands).toEqual([
      { feature: 'tools', param: 'messages[0].role' },
    ])
  })

  it('[D42] [D42b] requires the name of a function result, and pairs it with the latest open call', () => {
    expect(messageFault({ role: 'function', content: 'x' })).toEqual({
      code: 'missing_required_parameter',
      param: 'messages[0].name',
    })
    const call = { role: 'assistant', content: null, function_call: { name: 'f', arguments: '{}' } }
    const { messages } = read({
      messages: [
        call,
        call,
        { role: 'function', name: 'f', content: '1' },
        { role: 'function', name: 'f', content: '2' },
      ],
    }).job
    expect(
      messages.map((message) =>
        'toolCallId' in message ? message.toolCallId : message.role === 'assistant' && message.toolCalls?.[0]?.id,
      ),
    ).toEqual(['call_legacy_0', 'call_legacy_1', 'call_legacy_1', 'call_legacy_0'])
  })

  it('[D43] [D43a] rejects arguments that are not text, and treats an empty list as no calls', () => {
    const call = { id: 'c', type: 'function', function: { name: 'f', arguments: {} } }
    expect(messageFault({ role: 'assistant', tool_calls: [call] })).toEqual({
      code: 'invalid_type',
      param: 'messages[0].tool_calls[0].function.arguments',
    })
    expect(read({ messages: [{ role: 'assistant', content: 'x', tool_calls: [] }] }).demands).toEqual([])
  })
})

describe('supported fields', () => {
  it.each([
    ['E45', 'temperature', -0.1, 'decimal_below_min_value'],
    ['E45', 'temperature', 2.1, 'decimal_above_max_value'],
    ['E45', 'temperature', '0.5', 'invalid_type'],
    ['E45', 'temperature', true, 'invalid_type'],
    ['E47', 'top_p', 1.01, 'decimal_above_max_value'],
    ['E47', 'top_p', -0.1, 'decimal_below_min_value'],
    ['E48', 'max_tokens', 0, 'integer_below_min_value'],
    ['E48', 'max_tokens', 1.5, 'invalid_type'],
    ['E48', 'max_tokens', '5', 'invalid_type'],
    ['E49a', 'max_completion_tokens', -1, 'integer_below_min_value'],
    ['E50', 'stop', ['1', '2', '3', '4', '5'], 'array_above_max_length'],
    ['E50', 'stop', 7, 'invalid_type'],
    ['E53', 'presence_penalty', 2.1, 'decimal_above_max_value'],
    ['E53', 'frequency_penalty', -2.1, 'decimal_below_min_value'],
    ['E54', 'stream', 'true', 'invalid_type'],
    ['E54', 'stream', 1, 'invalid_type'],
    ['F66a', 'parallel_tool_calls', 'no', 'invalid_type'],
    ['F66a', 'parallel_tool_calls', false, 'unsupported_parameter'],
    ['F70b', 'n', 0, 'integer_below_min_value'],
    ['F70b', 'n', 9, 'integer_above_max_value'],
    ['F71', 'logit_bias', { '5': 101 }, 'integer_above_max_value'],
    ['F71', 'logit_bias', { '5': -101 }, 'integer_below_min_value'],
    ['F71', 'logit_bias', { a: 1 }, 'invalid_value'],
    ['F71', 'logit_bias', { '-1': 1 }, 'invalid_value'],
    ['F71', 'logit_bias', { '2147483648': 1 }, 'invalid_value'],
    ['F71', 'logit_bias', { '9007199254740993': 1 }, 'invalid_value'],
    ['F71', 'logit_bias', [], 'invalid_type'],
    ['F72', 'reasoning_effort', 'xhigh', 'unsupported_value'],
    ['F72', 'reasoning_effort', 'LOW', 'unsupported_value'],
    ['F73', 'web_search_options', 'x', 'invalid_type'],
    ['F65a', 'tool_choice', 'required', 'unsupported_parameter'],
    ['F65a', 'tool_choice', { type: 'function', function: { name: 'f' } }, 'unsupported_parameter'],
    ['F65a', 'tool_choice', 'banana', 'invalid_value'],
    ['F65a', 'tool_choice', 7, 'invalid_type'],
    ['F65a', 'tool_choice', { type: 'allowed_tools', allowed_tools: {} }, 'unsupported_parameter'],
    ['F67b', 'function_call', { name: 'f' }, 'unsupported_parameter'],
    ['F67b', 'function_call', 'banana', 'invalid_value'],
    ['F67b', 'function_call', 7, 'invalid_type'],
    ['F67b', 'functions', 'x', 'invalid_type'],
    ['F68', 'logprobs', 1, 'invalid_type'],
    ['F70b', 'n', 1.5, 'invalid_type'],
    ['G78', 'prediction', {}, 'unsupported_parameter'],
    ['G78', 'verbosity', 'low', 'unsupported_parameter'],
    ['G78', 'moderation', true, 'unsupported_parameter'],
    ['G78', 'modalities', ['text'], 'unsupported_parameter'],
    ['G78', 'modalities', [], 'unsupported_parameter'],
    ['G78', 'audio', false, 'unsupported_parameter'],
    ['G78', 'audio', {}, 'unsupported_parameter'],
  ])('[%s] rejects %s: %j', (_rule, name, value, code) => {
    expect(fieldFault({ [name]: value })).toEqual({ code, param: name })
  })

  it('[E48] accepts 1.0 as an integer', () => {
    expect(read({ max_tokens: 1.0 }).job.maxTokens).toBe(1)
  })

  it('[E49] [E49a] prefers max_completion_tokens, and still checks max_tokens', () => {
    expect(read({ max_completion_tokens: 2, max_tokens: 50 }).job.maxTokens).toBe(2)
    expect(fieldFault({ max_completion_tokens: 2, max_tokens: 0 }).param).toBe('max_tokens')
  })

  it('[E50] [E50a] names the invalid stop sequence', () => {
    expect(fieldFault({ stop: ['a', 1] })).toEqual({ code: 'invalid_type', param: 'stop[1]' })
    expect(fieldFault({ stop: ['a', null] })).toEqual({ code: 'invalid_type', param: 'stop[1]' })
    expect(fieldFault({ stop: 'x'.repeat(257) })).toEqual({ code: 'string_above_max_length', param: 'stop' })
  })

  it.each([[''], [[]], [['']], [null]])('[E51] treats stop %j as no stop', (stop) => {
    expect(read({ stop }).job).not.toHaveProperty('stop')
  })
})

describe('fields that depend on the device', () => {
  it.each([
    [{ stream: true, stream_options: { include_usage: true } }, 'usage', 'stream_options'],
    [{ response_format: { type: 'json_object' } }, 'json_object', 'response_format'],
    [
      { response_format: { type: 'json_schema', json_schema: { name: 'x', schema: {} } } },
      'json_schema',
      'response_format',
    ],
    [{ tools: [{ type: 'function', function: { name: 'f' } }] }, 'tools', 'tools'],
    [{ functions: [{ name: 'f' }] }, 'tools', 'functions'],
    [{ logprobs: true }, 'logprobs', 'logprobs'],
    [{ n: 2 }, 'n', 'n'],
    [{ logit_bias: { '1': 1 } }, 'logit_bias', 'logit_bias'],
    [{ reasoning_effort: 'low' }, 'reasoning_effort', 'reasoning_effort'],
    [{ web_search_options: {} }, 'web_search', 'web_search_options'],
  ])('[F55] %j needs a feature', (fields, feature, param) => {
    expect(read(fields).demands).toEqual([{ feature, param }])
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
    { logit_bias: {} },
    { parallel_tool_calls: true },
    { n: null, tools: null, logprobs: null, top_logprobs: null, stream_options: null, response_format: null },
  ])('[F56] %j asks for nothing and is not in the job', (fields) => {
    const { job, demands } = read(fields)
    expect(demands).toEqual([])
    expect(job).toEqual({ model: 'm', messages: hi })
  })

  it.each([{}, { include_usage: true }])('[F59] allows stream_options %j only for streams', (options) => {
    expect(fieldFault({ stream_options: options })).toEqual({ code: 'invalid_value', param: 'stream_options' })
  })

  it('[F59a] [F59b] reads stream_options', () => {
    expect(fieldFault({ stream: true, stream_options: 'x' }).code).toBe('invalid_type')
    expect(fieldFault({ stream: true, stream_options: { include_usage: 'yes' } }).code).toBe('invalid_type')
    expect(read({ stream: true, stream_options: { include_obfuscation: true } }).includeUsage).toBe(false)
  })

  it.each([
    ['x', 'invalid_type', 'response_format'],
    [{}, 'missing_required_parameter', 'response_format.type'],
    [{ type: 'xml' }, 'invalid_value', 'response_format.type'],
    [{ type: 7 }, 'invalid_type', 'response_format.type'],
    [{ type: 'json_schema' }, 'missing_required_parameter', 'response_format.json_schema'],
    [{ type: 'json_schema', json_schema: 'x' }, 'invalid_type', 'response_format.json_schema'],
    [{ type: 'json_schema', json_schema: {} }, 'missing_required_parameter', 'response_format.json_schema.name'],
    [{ type: 'json_schema', json_schema: { name: 'a b' } }, 'invalid_value', 'response_format.json_schema.name'],
    [{ type: 'json_schema', json_schema: { name: 5 } }, 'invalid_type', 'response_format.json_schema.name'],
    [
      { type: 'json_schema', json_schema: { name: 'a', schema: 'x' } },
      'invalid_type',
      'response_format.json_schema.schema',
    ],
  ])('[F60] rejects response_format %j', (format, code, param) => {
    expect(fieldFault({ response_format: format })).toEqual({ code, param })
  })

  it('[F60b] treats a json_schema without a schema as json_object', () => {
    expect(read({ response_format: { type: 'json_schema', json_schema: { name: 'a' } } }).job.responseFormat).toEqual({
      type: 'json_object',
    })
  })

  it.each([
    [[{ type: 'function' }], 'missing_required_parameter', 'tools[0].function'],
    [[{ type: 'function', function: {} }], 'missing_required_parameter', 'tools[0].function.name'],
    [[{ type: 'function', function: { name: 'bad name!' } }], 'invalid_value', 'tools[0].function.name'],
    [[{ type: 'function', function: { name: '' } }], 'empty_string', 'tools[0].function.name'],
    [[{ type: 'function', function: { name: 5 } }], 'invalid_type', 'tools[0].function.name'],
    [[{ type: 'function', function: 'f' }], 'invalid_type', 'tools[0].function'],
    [[{ function: { name: 'f' } }], 'missing_required_parameter', 'tools[0].type'],
    [['f'], 'invalid_type', 'tools[0]'],
    ['x', 'invalid_type', 'tools'],
    [[{ type: 'function', function: { name: 'x'.repeat(65) } }], 'string_above_max_length', 'tools[0].function.name'],
    [[{ type: 'custom', custom: {} }], 'invalid_value', 'tools[0].type'],
    [[{ type: 'function', function: { name: 'f', parameters: 'x' } }], 'invalid_type', 'tools[0].function.parameters'],
    [
      Array.from({ length: 5 }, () => ({ type: 'function', function: { name: 'f' } })),
      'array_above_max_length',
      'tools',
    ],
  ])('[F64] [F64a] rejects tools %j', (tools, code, param) => {
    expect(fieldFault({ tools })).toEqual({ code, param })
  })

  it('[F64b] accepts a tool without parameters or description', () => {
    expect(
      read({ tools: [{ type: 'function', function: { name: 'f.g', description: null, strict: true } }] }).job.tools,
    ).toEqual([{ name: 'f.g', strict: true }])
  })

  it('[F65] tells the device that no tool may be called', () => {
    expect(read({ tools: [{ type: 'function', function: { name: 'f' } }], tool_choice: 'none' }).job.toolChoice).toBe(
      'none',
    )
  })

  it('[F67] [F67c] turns functions into tools, and rejects both at once', () => {
    const { job, mirrorsFunctions } = read({ functions: [{ name: 'f' }], function_call: 'none' })
    expect({ tools: job.tools, toolChoice: job.toolChoice, mirrorsFunctions }).toEqual({
      tools: [{ name: 'f' }],
      toolChoice: 'none',
      mirrorsFunctions: true,
    })
    expect(fieldFault({ functions: [{ name: 'f' }], tools: [{ type: 'function', function: { name: 'f' } }] })).toEqual({
      code: 'invalid_value',
      param: 'functions',
    })
  })

  it.each([
    [{ logprobs: true, top_logprobs: 21 }, 'integer_above_max_value'],
    [{ logprobs: true, top_logprobs: -1 }, 'integer_below_min_value'],
    [{ top_logprobs: 0 }, 'invalid_value'],
    [{ logprobs: false, top_logprobs: 3 }, 'invalid_value'],
  ])('[F69] [F69a] rejects %j', (fields, code) => {
    expect(fieldFault(fields)).toEqual({ code, param: 'top_logprobs' })
  })
})

describe('ignored and rejected fields', () => {
  it('[G74a] lists every ignored field that was sent, whatever it holds', () => {
    const all = {
      prompt_cache_options: 1,
      seed: 'x',
      user: {},
      store: true,
      metadata: 5,
      service_tier: 'bogus',
      safety_identifier: [],
      prompt_cache_key: 1,
      prompt_cache_retention: 2,
    }
    expect(read(all).ignored).toEqual([
      'seed',
      'user',
      'safety_identifier',
      'store',
      'metadata',
      'service_tier',
      'prompt_cache_key',
      'prompt_cache_retention',
      'prompt_cache_options',
    ])
  })

  it('[G75] does not list null', () => {
    expect(read({ seed: null, user: 'u' }).ignored).toEqual(['user'])
  })

  it('[G78a] reports the first of two rejected fields, and treats null as absent', () => {
    expect(fieldFault({ audio: {}, verbosity: 'low' }).param).toBe('verbosity')
    expect(read({ audio: null, prediction: null }).job).toEqual({ model: 'm', messages: hi })
  })
})
