import { afterAll, describe, expect, it } from 'vitest'
import { expectCompletion, expectError } from '../harness/client/expect-reply.ts'
import { exchange, parseReply, requestHead } from '../harness/client/raw-http.ts'
import type { ModelBody } from '../harness/client/reply-shapes.ts'
import { FULL, HI, startSystem } from '../harness/start-system.ts'
import { IS_SEALED_RUN } from '../harness/sealed-run.ts'

const system = await startSystem()
afterAll(async () => system[Symbol.asyncDispose]())
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

  it.each(['bearer ', 'BEARER ', 'Bearer  ', 'bEaReR    '])('[A3] accepts the scheme "%s"', async (scheme) => {
    const answer = await client.call('/models', { key: null, headers: { authorization: scheme + keys.home } })
    expect(answer.status).toBe(200)
  })

  it.each([
    ['no scheme', keys.home],
    ['another scheme', `Basic ${Buffer.from(`user:${keys.home}`).toString('base64')}`],
    ['an empty key', 'Bearer '],
    ['only the scheme', 'Bearer'],
    ['two keys', `Bearer ${keys.home} ${keys.home}`],
    ['no space', `Bearer${keys.home}`],
  ])('[A4] rejects %s', async (_, authorization) => {
    expectError(await client.call('/models', { key: null, headers: { authorization } }), NO_KEY)
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
    ['POST', '/completions'],
    ['POST', '/embeddings'],
    ['GET', '/chat/completions/chatcmpl-1'],
    ['GET', '/chat'],
    ['POST', '/images/generations'],
    ['GET', ''],
    ['GET', '/'],
  ])('[A9] does not offer %s %s', async (method, path) => {
    const answer = await client.call(`${origin}/openai/v1${path}`, { method, ...(method === 'POST' && { body: {} }) })
    expectError(answer, NO_PATH)
  })

  it("[A9] says what to use instead of the reference API's other operations", async () => {
    const error = expectError(await client.call('/responses', { body: {} }), NO_PATH)
    expect(error.message).toMatch(/chat completions/i)
  })

  // The console has its pages there, but only for requests that ask for a page.
  it.each(['/v1/models', '/', '/openai', '/openai/v2/models', '/models', '/openai/v1x/models'])(
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

  it.each([
    ['GET', '/chat/completions', 'POST'],
    ['DELETE', '/chat/completions', 'POST'],
    ['PUT', '/chat/completions', 'POST'],
    ['POST', '/models', 'GET'],
    ['PATCH', '/models', 'GET'],
    ['DELETE', '/models/x', 'GET'],
    ['POST', '/models/x', 'GET'],
  ])('[A11] %s %s is not allowed, %s is', async (method, path, allowed) => {
    const answer = await client.call(path, { method })
    expectError(answer, { status: 405, code: 'method_not_allowed' })
    expect(answer.headers.get('allow')?.split(/, */)).toContain(allowed)
  })

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

  it.each(['/models/', '//models', '//models//'])('[A13] serves %s as /models', async (path) => {
    const answer = await client.call(path)
    expect(answer.status).toBe(200)
    expect(answer.json).toStrictEqual((await client.call('/models')).json)
  })

  it.each(['/chat/completions/', '//chat//completions', '/chat/completions//'])('[A13] serves %s', async (path) => {
    expectCompletion(await client.call(path, { body: { model: FULL, messages: HI } }))
  })

  it('[A14a] accepts the whole address as the target', async () => {
    const plain = await client.call('/models')
    const head = requestHead('GET', `${client.base}/models`, [
      ['authorization', `Bearer ${keys.home}`],
      ['connection', 'close'],
    ])
    const reply = parseReply(await exchange(origin, head))
    expect(reply.status).toBe(200)
    expect(JSON.parse(reply.body)).toStrictEqual(plain.json)
  })

  it.each(['?api-version=1', '?', '?a=%zz&b', '?model=x&limit=1'])('[A14] ignores the query %s', async (query) => {
    const plain = await client.call('/models')
    expect((await client.call(`/models${query}`)).json).toStrictEqual(plain.json)
    expect((await client.call(`/models/${encodeURIComponent(FULL)}${query}`)).status).toBe(200)
    expectCompletion(await client.call(`/chat/completions${query}`, { body: { model: FULL, messages: HI } }))
  })
})
