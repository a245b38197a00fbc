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

/** What a tool is called with, and what it is. */
const CALL = { name: 'get_weather', arguments: '{"city":"Oslo"}' }
const DEFINITION = { name: 'f', description: 'does it', parameters: { type: 'object', properties: {} }, strict: true }
const REQUIRED: Body = {
  model: 'team/small',
  messages: [
    { role: 'developer', content: 'Be brief', name: 'a' },
    { role: 'user', content: [{ type: 'text', text: 'Hi' }] },
    { role: 'assistant', content: null, tool_calls: [{ id: 'c', type: 'function', function: CALL }] },
    { role: 'tool', content: 'Rain', tool_call_id: 'c' },
    { role: 'assistant', content: '', function_call: CALL },
    { role: 'function', name: 'get_weather', content: 'Sun' },
  ],
}
const OPTIONAL: Body = {
  stream: true,
  stream_options: { include_usage: true },
  temperature: 0.5,
  top_p: 1,
  max_completion_tokens: 5,
  max_tokens: 5,
  stop: ['a', 'b'],
  frequency_penalty: -2,
  presence_penalty: 2,
  response_format: { type: 'json_schema', json_schema: { name: 'n', schema: { type: 'object' }, strict: true } },
  tools: [{ type: 'function', function: DEFINITION }],
  tool_choice: 'none',
  functions: [DEFINITION],
  function_call: 'auto',
  parallel_tool_calls: true,
  logprobs: true,
  top_logprobs: 2,
  n: 2,
  logit_bias: { 42: -100 },
  reasoning_effort: 'low',
  web_search_options: { search_context_size: 'high' },
  seed: 1,
  user: 'u',
  metadata: {},
  prediction: null,
  verbosity: null,
}

const junk: Arbitrary<unknown> = fc.jsonValue({ maxDepth: 2 })
// JSON.parse makes `__proto__` an own key and leaves the prototype alone; so does this.
const plain = <Value>(arbitrary: Arbitrary<Value>) => arbitrary.map((value): Value => JSON.parse(JSON.stringify(value)))
const text = fc.oneof(fc.string({ maxLength: 8 }), fc.string({ unit: 'binary', maxLength: 8 }))
const number = fc.oneof(fc.constantFrom(-101, -2.1, -2, -1, 0, 0.5, 1, 1.01, 2, 2.1, 8, 9, 20, 21, 101), fc.double())
const word = fc.constantFrom('auto', 'required', 'json_object', 'text', 'user', 'medium', 'bad name', '', null)
const changes = fc.array(fc.tuple(fc.nat(), fc.oneof(junk, text, number, word)), { maxLength: 2 })
const optionalName = fc.constantFrom(...Object.keys(OPTIONAL))

/** Few optional fields and few other values at a time: with more, nearly every body would have a fault. */
const request = plain(
  fc.tuple(fc.subarray(Object.keys(OPTIONAL), { maxLength: 5 }), changes).map(([names, changes]): Body => {
    const body = structuredClone({ ...REQUIRED, ...Object.fromEntries(names.map((name) => [name, OPTIONAL[name]])) })
    for (const [pick, value] of changes) {
      const places = placesIn(body)
      const [holder, name] = places[pick % places.length]!
      holder[name] = value
    }
    return body
  }),
)

/** Every field and item, however deep. */
function placesIn(value: unknown): [holder: Body, name: string][] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => [[value as Body, name], ...placesIn(inner)])
}

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

  it('[A15d] gets the same result again, in any order of its fields, and is not changed', () => {
    const shuffled = request.chain((body) =>
      fc
        .shuffledSubarray(Object.entries(body), { minLength: Object.keys(body).length })
        .map((entries) => ({ body, entries })),
    )
    fc.assert(
      fc.property(shuffled, ({ body, entries }) => {
        const before = JSON.stringify(body)
        const reading = read(body)
        expect(read(JSON.parse(before))).toStrictEqual(reading)
        expect(read(Object.fromEntries(entries))).toStrictEqual(reading)
        expect(JSON.stringify(body)).toBe(before)
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
          const unknown = { [name]: value, constructor: value, toString: value }
          expect(read(withUnknown(body, unknown))).toStrictEqual(read(body))
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

/** Schemas and maps, where no field is unknown. */
const OPEN = new Set(['schema', 'parameters', 'logit_bias', 'metadata'])

function withUnknown(value: unknown, unknown: Body): unknown {
  if (Array.isArray(value)) return value.map((item) => withUnknown(item, unknown))
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value).map(([name, inner]) => [
    name,
    OPEN.has(name) ? inner : withUnknown(inner, unknown),
  ])
  return { ...Object.fromEntries(fields), ...unknown }
}
