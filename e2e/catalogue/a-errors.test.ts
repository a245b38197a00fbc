import { afterAll, describe, expect, it } from 'vitest'
import { expectCompletion, expectError } from '../harness/client/expect-reply.ts'
import { exchange, parseReply, requestHead } from '../harness/client/raw-http.ts'
import { FULL, HI, PLAIN, startSystem, UNKNOWN } from '../harness/start-system.ts'

const system = await startSystem()
afterAll(async () => system[Symbol.asyncDispose]())
const { client, keys, apiOrigin: origin } = system

const NO_PATH = { status: 404, code: 'unknown_url', param: null }

describe('errors everywhere', () => {
  const bearer: [string, string] = ['authorization', `Bearer ${keys.home}`]

  it.each([
    ['not HTTP at all', 'GARBAGE\r\n\r\n', 400],
    ['a header without a colon', 'GET /openai/v1/models HTTP/1.1\r\nhost: x\r\nbroken header\r\n\r\n', 400],
    [
      'two lengths',
      `${requestHead('POST', '/openai/v1/chat/completions', [bearer, ['content-length', '2'], ['content-length', '3']])}{}`,
      400,
    ],
    [
      'a length and chunks',
      `${requestHead('POST', '/openai/v1/chat/completions', [bearer, ['content-length', '2'], ['transfer-encoding', 'chunked']])}{}`,
      400,
    ],
    ['too many headers', requestHead('GET', '/openai/v1/models', [bearer, ['x-long', 'x'.repeat(20_000)]]), 431],
  ])('[A15] rejects %s with a JSON error', async (_, text, status) => {
    const reply = parseReply(await exchange(origin, text))
    expect(reply.status).toBe(status)
    expect(reply.head).toContain('content-type: application/json')
    expect(reply.head).toContain('x-request-id: req_')
    const { error } = JSON.parse(reply.body) as { error: Record<string, unknown> }
    expect(Object.keys(error).toSorted()).toStrictEqual(['code', 'message', 'param', 'type'])
    expect(error['code']).toBeTypeOf('string')
  })

  it.each(['/%zz', '/models/%', '/%00', '/chat%2Fcompletions', '/..%2f..%2fetc%2fpasswd'])(
    '[A15] rejects the odd path %s with a JSON error',
    async (path) => {
      const reply = parseReply(
        await exchange(origin, requestHead('GET', `/openai/v1${path}`, [bearer, ['connection', 'close']])),
      )
      expect(reply.status).toBe(404)
      expect(JSON.parse(reply.body)).toMatchObject({ error: { type: 'invalid_request_error' } })
    },
  )

  it('[A15a] gives every response its own request id', async () => {
    // Sixteen characters too many, and one that logs can't have.
    const headers = { 'x-request-id': 'x'.repeat(144), traceparent: 'no' }
    const answers = await Promise.all(
      ['/models', '/nope', '/models', `/models/${UNKNOWN}`].map((path) => client.call(path, { headers })),
    )
    const ids = answers.map((answer) => answer.headers.get('x-request-id'))
    for (const id of ids) expect(id).toMatch(/^req_[0-9a-f]{32}$/)
    expect(new Set(ids).size).toBe(4)
  })

  it('[A15a] gives back the request id of the client, to each request that has it', async () => {
    const headers = { 'x-request-id': 'order-17/a:3' }
    const answers = [
      await client.call('/nope', { headers }),
      await client.post({ model: FULL, messages: HI }, { headers }),
      await client.post({ model: FULL, messages: HI }, { headers }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([404, 200, 200])
    for (const answer of answers) expect(answer.headers.get('x-request-id')).toBe('order-17/a:3')
  })

  it.each(['text/html', 'text/event-stream', 'application/json', 'image/png', 'not a type'])(
    '[A15b] sends JSON even if the client accepts only %s',
    async (accept) => {
      expectCompletion(await client.post({ model: FULL, messages: HI }, { headers: { accept } }))
      const models = await client.call('/models', { headers: { accept } })
      expect(models.headers.get('content-type')).toMatch(/^application\/json/)
      expect(models.status).toBe(200)
    },
  )

  it('[A15c] says whether the request or the server was at fault', async () => {
    expect(expectError(await client.call('/nope'), NO_PATH).type).toBe('invalid_request_error')
    system.full.plan = { failure: {} }
    const failed = await client.post({ model: FULL, messages: HI })
    system.full.plan = {}
    expect(expectError(failed, { status: 500, code: 'server_error' }).type).toBe('server_error')
  })
})

describe('the order of checks', () => {
  const chat = '/chat/completions'
  const big = new Uint8Array(20 * 1024 * 1024 + 1).fill(0x20)
  const json = { 'content-type': 'application/json' }
  const cases: [string, string, Parameters<typeof client.call>[1], number, string, string | null][] = [
    ['key before path', '/nope', { key: 'x' }, 401, 'invalid_api_key', null],
    ['key before method', chat, { key: 'x', method: 'GET' }, 401, 'invalid_api_key', null],
    ['key before body', chat, { key: 'x', body: '{', headers: json }, 401, 'invalid_api_key', null],
    ['path before body', '/nope', { body: '{', headers: json }, 404, 'unknown_url', null],
    ['method before body', '/models', { body: '{', headers: json }, 405, 'method_not_allowed', null],
    [
      'size before content type',
      chat,
      { body: big, headers: { 'content-type': 'text/plain' } },
      413,
      'request_too_large',
      null,
    ],
    [
      'content type before JSON',
      chat,
      { body: '{', headers: { 'content-type': 'text/plain' } },
      400,
      'unsupported_content_type',
      null,
    ],
    ['model before messages', chat, { body: {} }, 400, 'missing_required_parameter', 'model'],
    [
      'model before fields',
      chat,
      { body: { messages: HI, temperature: 'x', verbosity: 'low' } },
      400,
      'missing_required_parameter',
      'model',
    ],
    [
      'messages before fields',
      chat,
      { body: { model: FULL, temperature: 'x' } },
      400,
      'missing_required_parameter',
      'messages',
    ],
    [
      'messages before the model is looked up',
      chat,
      { body: { model: UNKNOWN } },
      400,
      'missing_required_parameter',
      'messages',
    ],
    [
      'fields before fields against each other',
      chat,
      { body: { model: FULL, messages: HI, stream_options: {}, temperature: 'x' } },
      400,
      'invalid_type',
      'temperature',
    ],
    [
      'fields before the model',
      chat,
      { body: { model: UNKNOWN, messages: HI, n: 9 } },
      400,
      'integer_above_max_value',
      'n',
    ],
    [
      'rejected fields before the model',
      chat,
      { body: { model: UNKNOWN, messages: HI, audio: {} } },
      400,
      'unsupported_parameter',
      'audio',
    ],
    [
      'fields against each other before the model',
      chat,
      { body: { model: UNKNOWN, messages: HI, stream_options: {} } },
      400,
      'invalid_value',
      'stream_options',
    ],
    ['model before features', chat, { body: { model: UNKNOWN, messages: HI, n: 2 } }, 404, 'model_not_found', 'model'],
    ['features before waiting', chat, { body: { model: PLAIN, messages: HI, n: 2 } }, 400, 'unsupported_by_node', 'n'],
  ]

  it.each(cases)('[A15d] %s', async (_, path, options, status, code, param) => {
    expectError(await client.call(path, options), { status, code, param })
  })
})
