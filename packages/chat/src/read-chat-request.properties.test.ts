// Properties that hold for every body, however strange. The tables in read-chat-request.test.ts say which fault gets which error.

import { parseChatJob } from '@hearth/protocol'
import fc, { type Arbitrary } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ApiError, errorBody } from './errors.ts'
import { readChatRequest, type ChatRequest } from './read-chat-request.ts'

const RUNS = { numRuns: 500 }
const LIMITS = { maxMessages: 16, maxTools: 4 }

type Body = Record<string, unknown>
type Reading = { read: ChatRequest } | { rejected: string; status: number }

function read(body: unknown): Reading {
  try {
    return { read: readChatRequest(body, LIMITS) }
  } catch (error) {
    if (error instanceof ApiError) return { rejected: errorBody(error), status: error.status }
    throw error
  }
}

const junk: Arbitrary<unknown> = fc.jsonValue({ maxDepth: 2 })
// JSON.parse makes `__proto__` an own key and leaves the prototype alone; so does this.
const plain = <Value>(arbitrary: Arbitrary<Value>) => arbitrary.map((value): Value => JSON.parse(JSON.stringify(value)))
const text = fc.oneof(fc.string({ maxLength: 8 }), fc.string({ unit: 'binary', maxLength: 8 }))
const number = fc.oneof(fc.constantFrom(-101, -2.1, -2, -1, 0, 0.5, 1, 1.01, 2, 2.1, 8, 9, 20, 21, 101), fc.double())

/** Mostly `likely`, sometimes anything, so that a body often gets past one field to the next. */
function mostly<Value>(likely: Arbitrary<Value>): Arbitrary<unknown> {
  return fc.oneof({ weight: 30, arbitrary: likely }, { weight: 1, arbitrary: junk })
}

function record(fields: Record<string, Arbitrary<unknown>>, requiredKeys: string[] = []): Arbitrary<Body> {
  return fc.record(fields, { requiredKeys, noNullPrototype: true })
}

const part = record({ type: mostly(fc.constant('text')), text: mostly(text) }, ['type', 'text'])
const content = mostly(fc.oneof(text, fc.array(part, { maxLength: 2 })))
const call = record({ name: mostly(text), arguments: mostly(text) }, ['name', 'arguments'])
const toolCall = record({ id: mostly(text), type: fc.constant('function'), function: mostly(call) }, ['id', 'function'])
const message = record(
  {
    role: mostly(fc.constantFrom('system', 'developer', 'user', 'assistant', 'tool', 'function')),
    content,
    name: mostly(text),
    tool_call_id: mostly(text),
    tool_calls: mostly(fc.array(toolCall, { maxLength: 2 })),
    function_call: mostly(call),
  },
  ['role', 'content', 'name', 'tool_call_id'],
)
const definition = record(
  {
    name: mostly(fc.constantFrom('f', 'get_weather', 'a.b', 'bad name', '')),
    description: mostly(text),
    parameters: mostly(record({ type: fc.constant('object'), properties: junk })),
    strict: mostly(fc.boolean()),
  },
  ['name'],
)
const format = record(
  {
    type: mostly(fc.constantFrom('text', 'json_object', 'json_schema')),
    json_schema: mostly(
      record({ name: fc.constantFrom('n', 'a b'), schema: record({ type: junk }), strict: junk }, ['name']),
    ),
  },
  ['type', 'json_schema'],
)
const choice = fc.constantFrom('auto', 'none', 'required', 'banana')
const optional: Record<string, Arbitrary<unknown>> = {
  stream: mostly(fc.boolean()),
  stream_options: mostly(record({ include_usage: mostly(fc.boolean()) })),
  temperature: mostly(number),
  top_p: mostly(number),
  max_completion_tokens: mostly(fc.integer({ min: 0 })),
  max_tokens: mostly(fc.integer({ min: 0 })),
  stop: mostly(fc.oneof(text, fc.array(text, { maxLength: 5 }))),
  frequency_penalty: mostly(number),
  presence_penalty: mostly(number),
  response_format: mostly(format),
  tools: mostly(
    fc.array(record({ type: fc.constant('function'), function: definition }, ['type', 'function']), { maxLength: 2 }),
  ),
  tool_choice: mostly(choice),
  functions: mostly(fc.array(definition, { maxLength: 2 })),
  function_call: mostly(choice),
  parallel_tool_calls: mostly(fc.boolean()),
  logprobs: mostly(fc.boolean()),
  top_logprobs: mostly(fc.integer({ min: -1, max: 21 })),
  n: mostly(fc.integer({ min: 0, max: 9 })),
  logit_bias: mostly(fc.dictionary(fc.nat({ max: 99 }).map(String), number, { maxKeys: 2 })),
  reasoning_effort: mostly(fc.constantFrom('low', 'medium', 'high', 'minimal')),
  web_search_options: mostly(record({ search_context_size: fc.constantFrom('low', 'medium', 'high') })),
  seed: junk,
  user: junk,
  metadata: junk,
  prediction: fc.constant(null),
  verbosity: fc.constantFrom(null, 'low'),
}

// Few optional fields at a time: with all of them nearly every body would have a fault.
const anyRequest: Arbitrary<Body> = fc.subarray(Object.keys(optional), { maxLength: 5 }).chain((names) =>
  record(
    {
      model: mostly(fc.constantFrom('team/small', 'qwen3:8b')),
      messages: mostly(fc.array(message, { minLength: 1, maxLength: 4 })),
      ...Object.fromEntries(names.map((name) => [name, optional[name]!])),
    },
    ['model', 'messages', ...names],
  ),
)
const request = plain(anyRequest)
const optionalName = fc.constantFrom(...Object.keys(optional))

describe('lists', () => {
  const tool = { type: 'function', function: { name: 'f' } }
  const body = { model: 'm', messages: [{ role: 'user', content: 'Hi' }] }

  it.each([
    { name: 'messages', most: LIMITS.maxMessages, item: body.messages[0] },
    { name: 'tools', most: LIMITS.maxTools, item: tool },
    { name: 'functions', most: LIMITS.maxTools, item: tool.function },
  ])('[C30a] [F64a] of $name are read up to their limit and rejected beyond', ({ name, most, item }) => {
    const filled = (length: number) => ({ ...body, [name]: Array.from({ length }, () => item) })
    expect(read(filled(most))).toHaveProperty('read')
    expect(read(filled(most + 1))).toHaveProperty('rejected', expect.stringContaining('"array_above_max_length"'))
  })
})

describe('every body', () => {
  it('[A15] is read, or rejected with a 400 and the four keys, and nothing else happens', () => {
    fc.assert(
      fc.property(fc.oneof(plain(junk), request), (body) => {
        const reading = read(body)
        if ('read' in reading) return
        expect(reading.status).toBe(400)
        const { error } = JSON.parse(reading.rejected)
        expect(Object.keys(error)).toEqual(['message', 'type', 'param', 'code'])
        expect(error).toEqual({
          message: expect.stringMatching(/./),
          type: 'invalid_request_error',
          param: expect.toSatisfy((param: unknown) => param === null || typeof param === 'string'),
          code: expect.stringMatching(/^[a-z_]+$/),
        })
      }),
      { numRuns: 2000 },
    )
  })

  it('[A15d] gets the same result again, and is not changed', () => {
    fc.assert(
      fc.property(request, (body) => {
        const before = JSON.stringify(body)
        expect(read(body)).toStrictEqual(read(JSON.parse(before)))
        expect(JSON.stringify(body)).toBe(before)
      }),
      RUNS,
    )
  })

  it('[A15d] gets the same result in any order of its fields', () => {
    const shuffled = request.chain((body) =>
      fc
        .shuffledSubarray(Object.entries(body), { minLength: Object.keys(body).length })
        .map((entries) => ({ body, entries })),
    )
    fc.assert(
      fc.property(shuffled, ({ body, entries }) => {
        expect(read(Object.fromEntries(entries))).toStrictEqual(read(body))
      }),
      RUNS,
    )
  })

  it('[C28] gets the same result with unknown fields, whatever they hold', () => {
    fc.assert(
      fc.property(
        request,
        fc.string().map((name) => `x_${name}`),
        plain(junk),
        (body, name, value) => {
          expect(read(withUnknown(body, { [name]: value, constructor: value, toString: value }))).toStrictEqual(
            read(body),
          )
        },
      ),
      RUNS,
    )
  })

  it('[C28a] gets the same result whether an optional field is null or absent', () => {
    fc.assert(
      fc.property(request, fc.array(optionalName), (body, names) => {
        const present = Object.entries(body).filter(([name]) => !names.includes(name))
        const nulls = names.map((name) => [name, null])
        expect(read(Object.fromEntries([...present, ...nulls]))).toStrictEqual(read(Object.fromEntries(present)))
      }),
      RUNS,
    )
  })

  it('becomes a job that is the same after the link', () => {
    fc.assert(
      fc.property(request, (body) => {
        const reading = read(body)
        fc.pre('read' in reading)
        expect(parseChatJob(JSON.stringify(reading.read.job))).toStrictEqual(reading.read.job)
      }),
      RUNS,
    )
  })
})

// Adds fields to the body, its messages, their parts, tools and options. Schemas and maps have no unknown fields.
function withUnknown(body: Body, unknown: Body): Body {
  const lists = ['messages', 'tools', 'functions', 'content', 'tool_calls'].filter((name) => Array.isArray(body[name]))
  const objects = ['function', 'function_call', 'stream_options', 'response_format', 'json_schema'].filter((name) =>
    isFields(body[name]),
  )
  return {
    ...body,
    ...Object.fromEntries(
      lists.map((name) => [
        name,
        (body[name] as unknown[]).map((item) => (isFields(item) ? withUnknown(item, unknown) : item)),
      ]),
    ),
    ...Object.fromEntries(objects.map((name) => [name, withUnknown(body[name] as Body, unknown)])),
    ...unknown,
  }
}

function isFields(value: unknown): value is Body {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
