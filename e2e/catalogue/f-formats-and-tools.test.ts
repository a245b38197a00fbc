import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { askDevice, SCHEMA, TOOL } from '../harness/ask-device.ts'
import { expectCompletion, expectError } from '../harness/expect-reply.ts'
import { FULL, HI, lastJob, PLAIN, startSystem } from '../harness/start-system.ts'

const system = await startSystem()
afterAll(async () => system[Symbol.asyncDispose]())
const { client, full } = system

beforeEach(() => {
  full.plan = {}
})

const { ask, accepted, sent, rejected } = askDevice(system)

describe('response_format', () => {
  it.each([
    [{ type: 'junk' }, 'invalid_value', 'response_format.type'],
    [{}, 'missing_required_parameter', 'response_format.type'],
    [{ type: null }, 'missing_required_parameter', 'response_format.type'],
    [{ type: 7 }, 'invalid_type', 'response_format.type'],
    ['json_object', 'invalid_type', 'response_format'],
    [[], 'invalid_type', 'response_format'],
    [{ type: 'json_schema' }, 'missing_required_parameter', 'response_format.json_schema'],
    [{ type: 'json_schema', json_schema: 'x' }, 'invalid_type', 'response_format.json_schema'],
    [{ type: 'json_schema', json_schema: {} }, 'missing_required_parameter', 'response_format.json_schema.name'],
    [{ type: 'json_schema', json_schema: { name: 'a b' } }, 'invalid_value', 'response_format.json_schema.name'],
    [{ type: 'json_schema', json_schema: { name: 5 } }, 'invalid_type', 'response_format.json_schema.name'],
    [
      { type: 'json_schema', json_schema: { name: 'n', schema: [] } },
      'invalid_type',
      'response_format.json_schema.schema',
    ],
    [
      { type: 'json_schema', json_schema: { name: 'n', schema: 'x' } },
      'invalid_type',
      'response_format.json_schema.schema',
    ],
  ])('[F60] rejects %j', async (response_format, code, param) => {
    await rejected({ response_format }, code, param)
  })

  it('[F60b] [F60c] sends the schema unchanged, or json_object without one', async () => {
    const schema = { ...SCHEMA, $schema: 'x', $defs: { deep: { anyOf: [{ type: 'null' }, { enum: ['é', 1, null] }] } } }
    const response_format = {
      type: 'json_schema',
      json_schema: { name: 'my-name_1', description: 'd', strict: true, schema },
    }
    expect(await sent({ response_format })).toStrictEqual({
      responseFormat: { type: 'json_schema', name: 'my-name_1', description: 'd', schema },
    })
    expect(await sent({ response_format: { type: 'json_schema', json_schema: { name: 'n' } } })).toStrictEqual({
      responseFormat: { type: 'json_object' },
    })
  })

  it('[F60a] reports that a schema cannot be enforced', async () => {
    full.plan = {
      failure: {
        code: 'invalid_json_schema',
        message: 'Invalid schema: "not" cannot be enforced',
        param: 'response_format',
      },
    }
    const response_format = { type: 'json_schema', json_schema: { name: 'n', schema: { not: {} } } }
    const error = await rejected({ response_format }, 'invalid_json_schema', 'response_format')
    expect(error.message).toContain('"not" cannot be enforced')
    await rejected({ response_format, stream: true }, 'invalid_json_schema', 'response_format')
  })

  it('[F61] asks for an object, whatever the messages say', async () => {
    full.plan = { text: ['{"a"', ': 1}'] }
    expect(await sent({ response_format: { type: 'json_object' } })).toStrictEqual({
      responseFormat: { type: 'json_object' },
    })
    const { choices } = await accepted({ response_format: { type: 'json_object' } })
    expect(JSON.parse(choices[0]!.message.content)).toStrictEqual({ a: 1 })
  })

  it('[F62] gives the text unchanged, complete or cut off', async () => {
    full.plan = { text: ['{"a"', ': 1}'] }
    const response_format = { type: 'json_schema', json_schema: { name: 'n', schema: SCHEMA } }
    const whole = await accepted({ response_format })
    expect(whole.choices[0]).toMatchObject({ finish_reason: 'stop', message: { content: '{"a": 1}' } })
    const cut = await accepted({ response_format, max_tokens: 1 })
    expect(cut.choices[0]).toMatchObject({ finish_reason: 'length', message: { content: '{"a"' } })
  })
})

describe('tools', () => {
  it('[F63] gives the call of a model', async () => {
    full.plan = { calls: 'first-tool' }
    const [choice] = (await accepted({ tools: [TOOL] })).choices
    expect(choice).toMatchObject({ finish_reason: 'tool_calls', message: { role: 'assistant', content: '' } })
    expect(choice!.message.tool_calls).toStrictEqual([
      {
        id: 'call_000000000000000000000001',
        type: 'function',
        function: { name: 'get_weather', arguments: '{"city":"Oslo"}' },
      },
    ])
    expect(choice!.message.function_call).toBeUndefined()
  })

  it.each([
    [{ type: 'function' }, 'missing_required_parameter', 'tools[0].function'],
    [{ type: 'function', function: {} }, 'missing_required_parameter', 'tools[0].function.name'],
    [{ type: 'function', function: { name: null } }, 'missing_required_parameter', 'tools[0].function.name'],
    [{ type: 'function', function: { name: '' } }, 'empty_string', 'tools[0].function.name'],
    [{ type: 'function', function: { name: 'bad name!' } }, 'invalid_value', 'tools[0].function.name'],
    [{ type: 'function', function: { name: 'x'.repeat(65) } }, 'string_above_max_length', 'tools[0].function.name'],
    [{ type: 'function', function: { name: 5 } }, 'invalid_type', 'tools[0].function.name'],
    [{ type: 'function', function: 'f' }, 'invalid_type', 'tools[0].function'],
    [{ type: 'function', function: { name: 'f', parameters: 'x' } }, 'invalid_type', 'tools[0].function.parameters'],
    [{ type: 'function', function: { name: 'f', parameters: [] } }, 'invalid_type', 'tools[0].function.parameters'],
    [{ type: 'custom', custom: { name: 'f' } }, 'invalid_value', 'tools[0].type'],
    [{ type: 'web_search' }, 'invalid_value', 'tools[0].type'],
    [{ function: { name: 'f' } }, 'missing_required_parameter', 'tools[0].type'],
    ['f', 'invalid_type', 'tools[0]'],
    [null, 'invalid_type', 'tools[0]'],
  ])('[F64] rejects %j', async (tool, code, param) => {
    await rejected({ tools: [tool] }, code, param)
  })

  it('[F64] names the invalid tool', async () => {
    await rejected({ tools: [TOOL, { type: 'x' }] }, 'invalid_value', 'tools[1].type')
    for (const tools of ['x', {}, 5]) await rejected({ tools }, 'invalid_type', 'tools')
  })

  it.each([
    [{ name: 'f' }, { name: 'f' }],
    [
      { name: 'f', strict: true },
      { name: 'f', strict: true },
    ],
    [{ name: 'f', description: null }, { name: 'f' }],
    [
      { name: 'a.b-c_9', description: 'd' },
      { name: 'a.b-c_9', description: 'd' },
    ],
    [
      { name: 'x'.repeat(64), parameters: SCHEMA },
      { name: 'x'.repeat(64), parameters: SCHEMA },
    ],
  ])('[F64b] accepts the function %j', async (definition, tool) => {
    expect(await sent({ tools: [{ type: 'function', function: definition }] })).toStrictEqual({ tools: [tool] })
  })

  it('[F64c] reports that the parameters of a tool cannot be enforced', async () => {
    full.plan = {
      failure: {
        code: 'invalid_function_parameters',
        message: 'Invalid schema for function',
        param: 'tools[0].function.parameters',
      },
    }
    await rejected({ tools: [TOOL] }, 'invalid_function_parameters', 'tools[0].function.parameters')
  })

  it('[F65] forbids calls with none', async () => {
    full.plan = { calls: 'first-tool' }
    const { choices } = await accepted({ tools: [TOOL], tool_choice: 'none' })
    expect(lastJob(full).toolChoice).toBe('none')
    expect(choices[0]!.message.tool_calls).toBeUndefined()
    expect(choices[0]!.finish_reason).toBe('stop')
    const auto = await accepted({ tools: [TOOL], tool_choice: 'auto' })
    expect(lastJob(full).toolChoice).toBeUndefined()
    expect(auto.choices[0]!.finish_reason).toBe('tool_calls')
  })

  it.each([
    ['required', 'unsupported_parameter'],
    [{ type: 'function', function: { name: 'get_weather' } }, 'unsupported_parameter'],
    [{ type: 'allowed_tools', allowed_tools: {} }, 'unsupported_parameter'],
    ['banana', 'invalid_value'],
    ['', 'invalid_value'],
    [7, 'invalid_type'],
    [true, 'invalid_type'],
  ])('[F65a] rejects the choice %j before devices are considered', async (tool_choice, code) => {
    for (const model of [FULL, PLAIN])
      expectError(await ask({ tools: [TOOL], tool_choice }, model), { status: 400, code, param: 'tool_choice' })
    await rejected({ tool_choice }, code, 'tool_choice')
  })

  it('[F66] [F66a] allows parallel calls only', async () => {
    for (const [model, fields] of [
      [FULL, { tools: [TOOL] }],
      [FULL, {}],
      [PLAIN, {}],
    ] as const) {
      const answer = await ask({ ...fields, parallel_tool_calls: true }, model)
      expectCompletion(answer)
      expect(answer.headers.has('x-service-ignored-params')).toBe(false)
      expectError(await ask({ ...fields, parallel_tool_calls: false }, model), {
        status: 400,
        code: 'unsupported_parameter',
        param: 'parallel_tool_calls',
      })
    }
    for (const parallel_tool_calls of ['no', 0, {}])
      await rejected({ parallel_tool_calls }, 'invalid_type', 'parallel_tool_calls')
  })
})

describe('functions', () => {
  const functions = [{ name: 'get_weather', description: 'd', parameters: SCHEMA }]

  it('[F67] [F67a] are tools by another name', async () => {
    full.plan = { calls: 'first-tool' }
    const [choice] = (await accepted({ functions, function_call: 'auto' })).choices
    expect(lastJob(full).tools).toStrictEqual([{ name: 'get_weather', description: 'd', parameters: SCHEMA }])
    expect(choice!.finish_reason).toBe('tool_calls')
    expect(choice!.message.tool_calls).toHaveLength(1)
    expect(choice!.message.function_call).toStrictEqual({ name: 'get_weather', arguments: '{"city":"Oslo"}' })
  })

  it('[F67a] are repeated in streams too', async () => {
    full.plan = { calls: 'first-tool' }
    const { chunks, finishes } = await client.stream({ model: FULL, messages: HI, functions })
    const calls = chunks.filter((chunk) => chunk.choices[0]?.delta.tool_calls !== undefined)
    expect(calls).toHaveLength(1)
    expect(calls[0]!.choices[0]!.delta.function_call).toStrictEqual({
      name: 'get_weather',
      arguments: '{"city":"Oslo"}',
    })
    expect(finishes).toStrictEqual(['tool_calls'])
  })

  it('[F67] [F67b] [F67c] can be forbidden, but not required', async () => {
    expect(await sent({ functions, function_call: 'none' })).toMatchObject({ toolChoice: 'none' })
    await rejected({ functions, function_call: { name: 'get_weather' } }, 'unsupported_parameter', 'function_call')
    await rejected({ functions, function_call: 'banana' }, 'invalid_value', 'function_call')
    await rejected({ functions, function_call: 7 }, 'invalid_type', 'function_call')
    await rejected({ functions, tools: [TOOL] }, 'invalid_value', 'functions')
    await rejected({ functions: [{}] }, 'missing_required_parameter', 'functions[0].name')
    await rejected({ functions: 'x' }, 'invalid_type', 'functions')
  })
})
