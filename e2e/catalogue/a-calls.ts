// Who may call what, what comes back if not, and the list of models.

import { describe, expect, it } from 'vitest'
import { expectCompletion, expectError } from '../harness/client/expect-reply.ts'
import { exchange, parseReply, requestHead } from '../harness/client/raw-http.ts'
import type { ModelBody } from '../harness/client/reply-shapes.ts'
import { DISABLED, FULL, HI, LONELY, OTHERS, PLAIN, REMOVED, UNKNOWN } from '../harness/start-system.ts'
import { IS_SEALED_RUN } from '../harness/sealed-run.ts'
import { system } from './shared-system.ts'

const { client, keys, apiOrigin: origin } = system

const NO_KEY = { status: 401, code: 'invalid_api_key', param: null }
const NO_PATH = { status: 404, code: 'unknown_url', param: null }

describe('keys', () => {
  it('[A1] requires a key', async () => {
    const answer = await client.call('/models', { key: null })
    const error = expectError(answer, NO_KEY)
    expect(error.message).toMatch(/^You didn't provide an API key/)
    expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer/)
  })

  it('[A2] gives a wrong, a deleted and an orphaned key the same error, without repeating it', async () => {
    const wrong = [`${keys.home.slice(0, -1)}_`, 'sk-hearth-nothing', keys.revoked, keys.departed]
    const answers = await Promise.all(wrong.map((key) => client.call('/models', { key })))
    for (const answer of answers) expect(expectError(answer, NO_KEY).message).toMatch(/^Incorrect API key provided/)
    expect(new Set(answers.map((answer) => answer.text)).size).toBe(1)
    for (const key of wrong) expect(answers[0]!.text).not.toContain(key)
  })

  it('[A2a] takes the organization from the key alone', async () => {
    const headers = { 'openai-organization': 'home', 'openai-project': 'x' }
    const { json } = await client.call('/models', { key: keys.other, headers })
    const mine = await client.call('/models')
    expect(json).not.toStrictEqual(mine.json)
    expect((json as { data: ModelBody[] }).data.map((model) => model.id)).toContain(FULL)
  })

  it('[A5] [A5a] accepts no key from anywhere else and logs no query', async () => {
    const query = await client.call(`/models?api_key=${keys.home}&secret=query-canary`, { key: null })
    expectError(query, NO_KEY)
    for (const name of ['api-key', 'x-api-key'])
      expectError(await client.call('/models', { key: null, headers: { [name]: keys.home } }), NO_KEY)
    const log = await system.logged()
    expect(log).not.toContain('query-canary')
    expect(log).not.toContain(keys.home)
  })

  it('[A6] rejects two Authorization headers', async () => {
    const bearer: [string, string] = ['authorization', `Bearer ${keys.home}`]
    const head = requestHead('GET', '/openai/v1/models', [bearer, bearer, ['connection', 'close']])
    const reply = parseReply(await exchange(origin, head))
    expect(reply.status).toBe(401)
    expect(JSON.parse(reply.body)).toMatchObject({ error: { code: 'invalid_api_key' } })
  })
})

describe('paths', () => {
  it('[A7] names the method and path it does not know', async () => {
    const error = expectError(await client.call('/nope', { method: 'POST', body: {} }), NO_PATH)
    expect(error.message).toContain('POST /openai/v1/nope')
  })

  it.each([
    ['no', null],
    ['a bad', 'sk-hearth-bad'],
  ])('[A8] requires a key first, with %s key', async (_, key) => {
    expectError(await client.call('/nope', { key }), NO_KEY)
    expectError(await client.call('/models', { key, method: 'DELETE' }), NO_KEY)
  })

  it.each([
    ['POST', '/responses'],
    ['GET', '/chat/completions/chatcmpl-1'],
    ['GET', ''],
  ])('[A9] does not offer %s %s', async (method, path) => {
    const answer = await client.call(`${origin}/openai/v1${path}`, { method, ...(method === 'POST' && { body: {} }) })
    expectError(answer, NO_PATH)
  })

  it("[A9] says what to use instead of the reference API's other operations", async () => {
    const error = expectError(await client.call('/responses', { body: {} }), NO_PATH)
    expect(error.message).toMatch(/chat completions/i)
  })

  // The console has its pages there, but only for requests that ask for a page.
  it.each(['/v1/models', '/', '/openai/v1x/models'])(
    '[A10] serves nothing at %s, with or without a key',
    async (path) => {
      expectError(await client.call(origin + path, { key: null }), NO_PATH)
      expectError(await client.call(origin + path), NO_PATH)
    },
  )

  it.each(['/v1/chat/completions', '/chat/completions', '/openai/chat/completions'])(
    'says where the API is to a client with a wrong base URL: %s',
    async (path) => {
      const answer = await client.call(origin + path, { method: 'POST', body: {} })
      expect(expectError(answer, NO_PATH).message).toContain('/openai/v1')
    },
  )

  it('[A12] gives HEAD the response of GET, without a body', async () => {
    const head = await client.call('/models', { method: 'HEAD' })
    expect(head.status).toBe(200)
    expect(head.text).toBe('')
    expect(head.headers.get('content-type')).toMatch(/^application\/json/)
    expect((await client.call(`/models/${FULL}`, { method: 'HEAD' })).status).toBe(200)
    expect((await client.call('/models', { method: 'HEAD', key: null })).status).toBe(401)
    expect((await client.call('/nope', { method: 'HEAD' })).status).toBe(404)
  })

  const itForPages: typeof it | undefined = IS_SEALED_RUN ? undefined : it
  itForPages?.each(['/models', '/chat/completions', '/models/x', '/nope'])(
    '[A12b] gives OPTIONS %s a 204 without a key',
    async (path) => {
      const answer = await client.call(path, {
        method: 'OPTIONS',
        key: null,
        headers: {
          origin: 'https://page.test',
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'authorization,content-type,x-stainless-os',
          'access-control-request-private-network': 'true',
        },
      })
      expect(answer.status).toBe(204)
      expect(answer.text).toBe('')
      expect(answer.headers.get('access-control-allow-origin')).toBe('*')
      expect(answer.headers.get('access-control-allow-methods')?.split(/, */)).toEqual(
        expect.arrayContaining(['GET', 'POST']),
      )
      expect(answer.headers.get('access-control-allow-headers')?.toLowerCase().split(/, */)).toEqual(
        expect.arrayContaining(['authorization', 'content-type', 'x-stainless-os']),
      )
      expect(answer.headers.get('access-control-allow-private-network')).toBe('true')
      expect(Number(answer.headers.get('access-control-max-age'))).toBeGreaterThan(0)
    },
  )

  itForPages?.('[A12a] lets a browser read every reply and its headers', async () => {
    const replies = [
      await client.fetch('/models'),
      await client.fetch('/nope'),
      await client.fetch('/chat/completions', { body: { model: FULL, messages: HI } }),
      await client.fetch('/chat/completions', { body: { model: FULL, messages: HI, stream: true } }),
      await client.fetch('/models', { key: null }),
    ]
    for (const reply of replies) {
      await reply.text()
      expect(reply.headers.get('access-control-allow-origin')).toBe('*')
      const exposed = reply.headers.get('access-control-expose-headers')?.toLowerCase().split(/, */)
      expect(exposed).toEqual(expect.arrayContaining(['x-request-id', 'x-service-ignored-params', 'retry-after']))
      expect(exposed).toEqual(expect.arrayContaining(['x-hearth-queue-ms', 'x-hearth-device', 'x-hearth-attempts']))
    }
  })
})

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
  const broken = { body: '{', headers: { 'content-type': 'application/json' } }
  const plain = { 'content-type': 'text/plain' }

  it.each<[string, string, Parameters<typeof client.call>[1], number, string]>([
    ['key before path', '/nope', { key: 'x' }, 401, 'invalid_api_key'],
    ['key before method', chat, { key: 'x', method: 'GET' }, 401, 'invalid_api_key'],
    ['key before body', chat, { key: 'x', ...broken }, 401, 'invalid_api_key'],
    ['path before body', '/nope', broken, 404, 'unknown_url'],
    ['method before body', '/models', broken, 405, 'method_not_allowed'],
    ['size before content type', chat, { body: big, headers: plain }, 413, 'request_too_large'],
    ['content type before JSON', chat, { body: '{', headers: plain }, 400, 'unsupported_content_type'],
  ])('[A15d] %s', async (_, path, options, status, code) => {
    expectError(await client.call(path, options), { status, code, param: null })
  })

  it.each([
    ['model before messages', {}, 'missing_required_parameter model'],
    ['model before fields', { messages: HI, temperature: 'x', verbosity: 'low' }, 'missing_required_parameter model'],
    ['messages before fields', { model: FULL, temperature: 'x' }, 'missing_required_parameter messages'],
    ['messages before the model is looked up', { model: UNKNOWN }, 'missing_required_parameter messages'],
    [
      'fields before fields against each other',
      { model: FULL, messages: HI, stream_options: {}, temperature: 'x' },
      'invalid_type temperature',
    ],
    ['fields before the model', { model: UNKNOWN, messages: HI, n: 9 }, 'integer_above_max_value n'],
    ['rejected fields before the model', { model: UNKNOWN, messages: HI, audio: {} }, 'unsupported_parameter audio'],
    [
      'fields against each other before the model',
      { model: UNKNOWN, messages: HI, stream_options: {} },
      'invalid_value stream_options',
    ],
    ['model before features', { model: UNKNOWN, messages: HI, n: 2 }, 'model_not_found model'],
    ['features before waiting', { model: PLAIN, messages: HI, n: 2 }, 'unsupported_by_node n'],
  ])('[A15d] %s', async (_, body, expected) => {
    const [code = '', param = null] = expected.split(' ')
    expectError(await client.post(body), { status: code === 'model_not_found' ? 404 : 400, code, param })
  })
})

const NOT_FOUND = { status: 404, code: 'model_not_found', param: 'model' }

describe('the list', () => {
  it('[B16] has every enabled model, served or not, and no others', async () => {
    const { status, json } = await client.call('/models')
    const list = json as { object: string; data: ModelBody[] }
    expect(status).toBe(200)
    expect(Object.keys(list).toSorted()).toStrictEqual(['data', 'object'])
    expect(list.object).toBe('list')
    expect(list.data.map((model) => model.id).toSorted()).toStrictEqual([...system.models].toSorted())
    expect(system.models).toEqual(expect.arrayContaining([FULL, PLAIN, LONELY]))
    expect(system.models).not.toContain(DISABLED)
  })

  it('[B16a] describes a model by exactly four fields', async () => {
    const { json } = await client.call('/models')
    for (const model of (json as { data: ModelBody[] }).data) {
      expect(Object.keys(model).toSorted()).toStrictEqual(['created', 'id', 'object', 'owned_by'])
      expect(model.object).toBe('model')
      expect(Number.isInteger(model.created)).toBe(true)
      expect(Math.abs(model.created - Date.now() / 1000)).toBeLessThan(3600)
      expect(model.owned_by).toMatch(/\S/)
    }
  })

  it('[B17] is empty for an organization without models', async () => {
    expect((await client.call('/models', { key: keys.empty })).json).toStrictEqual({ object: 'list', data: [] })
  })
})

describe('a model that does not exist', () => {
  it('gets an error with the names of some that do', async () => {
    const { message } = expectError(await client.post({ model: UNKNOWN, messages: HI }), NOT_FOUND)
    const named = system.models.filter((name) => message.includes(`\`${name}\``))
    expect(named).toHaveLength(Math.min(5, system.models.length))
    expect(message).not.toContain(DISABLED)
  })

  it('gets an error without names in an organization that has none', async () => {
    const { message } = expectError(await client.post({ model: UNKNOWN, messages: HI }, { key: keys.empty }), NOT_FOUND)
    expect(message).toMatch(/does not exist or you do not have access to it\.$/)
  })
})

describe('one model', () => {
  it('[B18] is found by its encoded name', async () => {
    const { status, json } = await client.call(`/models/${FULL.replaceAll('/', '%2F')}`)
    expect(status).toBe(200)
    const list = (await client.call('/models')).json as { data: ModelBody[] }
    expect(json).toStrictEqual(list.data.find((model) => model.id === FULL))
  })

  it.each([UNKNOWN, DISABLED, REMOVED])('[B19] is not found if it is not enabled: %s', async (name) => {
    const error = expectError(await client.call(`/models/${encodeURIComponent(name)}`), NOT_FOUND)
    expect(error.message).toContain(name)
  })

  it.each([FULL.toUpperCase(), `${FULL} `.replace(' ', '%20'), FULL.slice(0, -1)])(
    '[B21a] is not found by another name: %s',
    async (name) => {
      expectError(await client.call(`/models/${name}`), NOT_FOUND)
    },
  )

  it('[B21] is found only by its own organization', async () => {
    expectError(await client.call(`/models/${OTHERS}`), NOT_FOUND)
    expect((await client.call(`/models/${OTHERS}`, { key: keys.other })).status).toBe(200)
    expectError(await client.call(`/models/${LONELY}`, { key: keys.other }), NOT_FOUND)
  })
})
