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

/** A request that is rejected: the rule, its fields, and what the error says. */
type Fault = [rule: string, fields: Record<string, unknown>, code: string, param: string]

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

const IGNORED =
  'seed user safety_identifier store metadata service_tier prompt_cache_key prompt_cache_retention prompt_cache_options'.split(
    ' ',
  )
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
    expect(KNOWN_FIELDS.filter((name) => !(name in ZEROS) && !REJECTED.has(name))).toEqual(IGNORED)
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

  it.each<Fault>([
    ['[C29]', { model: undefined }, 'missing_required_parameter', 'model'],
    ['[C29]', { model: null }, 'missing_required_parameter', 'model'],
    ['[C29]', { model: '' }, 'missing_required_parameter', 'model'],
    ['[C29]', { model: 5 }, 'invalid_type', 'model'],
    ['[C29]', { model: undefined, messages: 'x' }, 'missing_required_parameter', 'model'],
    ['[C30]', { messages: undefined }, 'missing_required_parameter', 'messages'],
    ['[C30]', { messages: null }, 'missing_required_parameter', 'messages'],
    ['[C30]', { messages: [] }, 'empty_array', 'messages'],
    ['[C30]', { messages: 'x' }, 'invalid_type', 'messages'],
    ['[C30]', { messages: [null] }, 'invalid_type', 'messages[0]'],
  ])('%s needs a valid model and messages: %j', (_rule, fields, code, param) => {
    expect(fieldFault(fields)).toEqual({ code, param })
  })
})

describe('messages', () => {
  it('[D31a] makes developer and system the same', () => {
    expect(read({ messages: [{ role: 'developer', content: 'x' }] }).job).toEqual(
      read({ messages: [{ role: 'system', content: 'x' }] }).job,
    )
  })

  const CALL = { id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }

  it.each<[rule: string, message: object, code: string, param: string]>([
    ['[D32]', { content: 'x' }, 'missing_required_parameter', 'role'],
    ['[D32]', { role: 'bot', content: 'x' }, 'invalid_value', 'role'],
    ['[D32]', { role: 'User', content: 'x' }, 'invalid_value', 'role'],
    ['[D32]', { role: null, content: 'x' }, 'missing_required_parameter', 'role'],
    ['[D32]', { role: 5, content: 'x' }, 'invalid_type', 'role'],
    ['[D35]', { role: 'user', content: null }, 'invalid_type', 'content'],
    ['[D35]', { role: 'user' }, 'missing_required_parameter', 'content'],
    ['[D35]', { role: 'tool', tool_call_id: 'x', content: null }, 'invalid_type', 'content'],
    ['[D38]', { role: 'user', content: [{}] }, 'missing_required_parameter', 'content[0].type'],
    ['[D38]', { role: 'user', content: [{ type: 'text' }] }, 'missing_required_parameter', 'content[0].text'],
    ['[D38]', { role: 'user', content: [{ type: 'text', text: 5 }] }, 'invalid_type', 'content[0].text'],
    ['[D38]', { role: 'user', content: [null] }, 'invalid_type', 'content[0]'],
    ['[D38]', { role: 'user', content: [{ type: 7 }] }, 'invalid_type', 'content[0].type'],
    ['[D40]', { role: 'tool', content: 'x' }, 'missing_required_parameter', 'tool_call_id'],
    ['[D42]', { role: 'function', content: 'x' }, 'missing_required_parameter', 'name'],
    [
      '[D43]',
      { role: 'assistant', tool_calls: [{ ...CALL, function: { name: 'f', arguments: {} } }] },
      'invalid_type',
      'tool_calls[0].function.arguments',
    ],
    ...['image_url', 'input_audio', 'file', 'refusal', 'hologram'].map((type): [string, object, string, string] => [
      '[D37]',
      { role: 'user', content: [{ type: 'text', text: 'a' }, { type }] },
      'unsupported_content_part',
      'content[1].type',
    ]),
  ])('%s rejects the message %j', (_rule, message, code, param) => {
    expect(fieldFault({ messages: [message] })).toEqual({ code, param: `messages[0].${param}` })
  })

  const PARTS = [
    { type: 'text', text: 'a' },
    { type: 'text', text: 'b', cache_control: {} },
  ]
  it.each<[rule: string, role: string, content: unknown, text: string]>([
    ...['system', 'user', 'assistant', 'developer'].map((role): [string, string, unknown, string] => [
      '[D33]',
      role,
      PARTS,
      'ab',
    ]),
    ['[D34]', 'user', '', ''],
    ['[D34]', 'user', [], ''],
    ['[D36]', 'assistant', null, ''],
  ])('%s has the text of %s without separators: %j', (_rule, role, content, text) => {
    expect(read({ messages: [{ role, content }] }).job.messages[0]!.content).toBe(text)
  })

  it('[D40a] does not require the call of a tool result', () => {
    expect(read({ messages: [{ role: 'tool', content: 'x', tool_call_id: 'c' }] }).job.messages).toEqual([
      { role: 'tool', content: 'x', toolCallId: 'c' },
    ])
  })

  it('[D41] needs tools from the first message that mentions a call or a result', () => {
    expect(read({ messages: [...hi, { role: 'assistant', tool_calls: [CALL] }] }).demands).toEqual([
      { feature: 'tools', param: 'messages[1].role' },
    ])
    expect(read({ messages: [{ role: 'function', name: 'f', content: null }] }).demands).toEqual([
      { feature: 'tools', param: 'messages[0].role' },
    ])
  })

  it('[D42b] pairs a function result with the latest open call', () => {
    const call = { role: 'assistant', content: null, function_call: { name: 'f', arguments: '{}' } }
    const result = { role: 'function', name: 'f', content: '1' }
    const { messages } = read({ messages: [call, call, result, result] }).job
    const ids = messages.map((message) =>
      'toolCallId' in message ? message.toolCallId : message.role === 'assistant' && message.toolCalls?.[0]?.id,
    )
    expect(ids).toEqual(['call_legacy_0', 'call_legacy_1', 'call_legacy_1', 'call_legacy_0'])
  })

  it('[D43a] treats an empty list as no calls', () => {
    expect(read({ messages: [{ role: 'assistant', content: 'x', tool_calls: [] }] }).demands).toEqual([])
  })
})

describe('supported fields', () => {
  it.each([
    ['E45', 'temperature', -0.1, 'decimal_below_min_value'],
    ['E45', 'temperature', 2.1, 'decimal_above_max_value'],
    ['E45', 'temperature', '0.5', 'invalid_type'],
    ['E47', 'top_p', 1.01, 'decimal_above_max_value'],
    ['E47', 'top_p', -0.1, 'decimal_below_min_value'],
    ['E48', 'max_tokens', 0, 'integer_below_min_value'],
    ['E48', 'max_tokens', 1.5, 'invalid_type'],
    ['E49a', 'max_completion_tokens', -1, 'integer_below_min_value'],
    ['E50', 'stop', ['1', '2', '3', '4', '5'], 'array_above_max_length'],
    ['E50', 'stop', 7, 'invalid_type'],
    ['E53', 'presence_penalty', 2.1, 'decimal_above_max_value'],
    ['E53', 'frequency_penalty', -2.1, 'decimal_below_min_value'],
    ['E54', 'stream', 'true', 'invalid_type'],
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
    ['G78', 'prediction', {}, 'unsupported_parameter'],
    ['G78', 'verbosity', 'low', 'unsupported_parameter'],
    ['G78', 'modalities', [], 'unsupported_parameter'],
    ['G78', 'audio', false, 'unsupported_parameter'],
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
  const jsonSchema = (json_schema: unknown) => ({ response_format: { type: 'json_schema', json_schema } })
  const tool = (definition: unknown) => ({ tools: [{ type: 'function', function: definition }] })

  it.each([
    [{ stream: true, stream_options: { include_usage: true } }, 'usage', 'stream_options'],
    [{ response_format: { type: 'json_object' } }, 'json_object', 'response_format'],
    [jsonSchema({ name: 'x', schema: {} }), 'json_schema', 'response_format'],
    [tool({ name: 'f' }), 'tools', 'tools'],
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

  it('[F59a] [F59b] reads stream_options', () => {
    expect(fieldFault({ stream: true, stream_options: 'x' }).code).toBe('invalid_type')
    expect(fieldFault({ stream: true, stream_options: { include_usage: 'yes' } }).code).toBe('invalid_type')
    expect(read({ stream: true, stream_options: { include_obfuscation: true } }).includeUsage).toBe(false)
  })

  it.each<Fault>([
    ['[F59]', { stream_options: {} }, 'invalid_value', 'stream_options'],
    ['[F59]', { stream_options: { include_usage: true } }, 'invalid_value', 'stream_options'],
    ['[F60]', { response_format: 'x' }, 'invalid_type', 'response_format'],
    ['[F60]', { response_format: {} }, 'missing_required_parameter', 'response_format.type'],
    ['[F60]', { response_format: { type: 'xml' } }, 'invalid_value', 'response_format.type'],
    ['[F60]', { response_format: { type: 7 } }, 'invalid_type', 'response_format.type'],
    ['[F60]', jsonSchema(undefined), 'missing_required_parameter', 'response_format.json_schema'],
    ['[F60]', jsonSchema('x'), 'invalid_type', 'response_format.json_schema'],
    ['[F60]', jsonSchema({}), 'missing_required_parameter', 'response_format.json_schema.name'],
    ['[F60]', jsonSchema({ name: 'a b' }), 'invalid_value', 'response_format.json_schema.name'],
    ['[F60]', jsonSchema({ name: 5 }), 'invalid_type', 'response_format.json_schema.name'],
    ['[F60]', jsonSchema({ name: 'a', schema: 'x' }), 'invalid_type', 'response_format.json_schema.schema'],
    ['[F64]', tool(undefined), 'missing_required_parameter', 'tools[0].function'],
    ['[F64]', tool({}), 'missing_required_parameter', 'tools[0].function.name'],
    ['[F64]', tool({ name: 'bad name!' }), 'invalid_value', 'tools[0].function.name'],
    ['[F64]', tool({ name: '' }), 'empty_string', 'tools[0].function.name'],
    ['[F64]', tool({ name: 5 }), 'invalid_type', 'tools[0].function.name'],
    ['[F64]', tool({ name: 'x'.repeat(65) }), 'string_above_max_length', 'tools[0].function.name'],
    ['[F64]', tool({ name: 'f', parameters: 'x' }), 'invalid_type', 'tools[0].function.parameters'],
    ['[F64]', tool('f'), 'invalid_type', 'tools[0].function'],
    ['[F64]', { tools: [{ function: { name: 'f' } }] }, 'missing_required_parameter', 'tools[0].type'],
    ['[F64]', { tools: [{ type: 'custom', custom: {} }] }, 'invalid_value', 'tools[0].type'],
    ['[F64]', { tools: ['f'] }, 'invalid_type', 'tools[0]'],
    ['[F64]', { tools: 'x' }, 'invalid_type', 'tools'],
    ['[F67c]', { functions: [{ name: 'f' }], ...tool({ name: 'f' }) }, 'invalid_value', 'functions'],
    ['[F69]', { logprobs: true, top_logprobs: 21 }, 'integer_above_max_value', 'top_logprobs'],
    ['[F69]', { logprobs: true, top_logprobs: -1 }, 'integer_below_min_value', 'top_logprobs'],
    ['[F69a]', { top_logprobs: 0 }, 'invalid_value', 'top_logprobs'],
    ['[F69a]', { logprobs: false, top_logprobs: 3 }, 'invalid_value', 'top_logprobs'],
  ])('%s rejects %j', (_rule, fields, code, param) => {
    expect(fieldFault(fields)).toEqual({ code, param })
  })

  it('[F60b] treats a json_schema without a schema as json_object', () => {
    expect(read(jsonSchema({ name: 'a' })).job.responseFormat).toEqual({ type: 'json_object' })
  })

  it('[F64b] accepts a tool without parameters or description', () => {
    const { tools } = read(tool({ name: 'f.g', description: null, strict: true })).job
    expect(tools).toEqual([{ name: 'f.g', strict: true }])
  })

  it('[F65] tells the device that no tool may be called', () => {
    expect(read({ ...tool({ name: 'f' }), tool_choice: 'none' }).job.toolChoice).toBe('none')
  })

  it('[F67] turns functions into tools', () => {
    const { job, mirrorsFunctions } = read({ functions: [{ name: 'f' }], function_call: 'none' })
    expect({ tools: job.tools, toolChoice: job.toolChoice, mirrorsFunctions }).toEqual({
      tools: [{ name: 'f' }],
      toolChoice: 'none',
      mirrorsFunctions: true,
    })
  })
})

describe('ignored and rejected fields', () => {
  it('[G74a] lists every ignored field that was sent, whatever it holds', () => {
    const odd = [1, 'x', {}, true, []]
    const sent = IGNORED.toReversed().map((name, index) => [name, odd[index % odd.length]])
    expect(read(Object.fromEntries(sent)).ignored).toEqual(IGNORED)
  })

  it('[G75] does not list null', () => {
    expect(read({ seed: null, user: 'u' }).ignored).toEqual(['user'])
  })

  it('[G78a] reports the first of two rejected fields, and treats null as absent', () => {
    expect(fieldFault({ audio: {}, verbosity: 'low' }).param).toBe('verbosity')
    expect(read({ audio: null, prediction: null }).job).toEqual({ model: 'm', messages: hi })
  })
})
