import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { expectCompletion, expectError } from '../harness/client/expect-reply.ts'
import { DISABLED, FULL, HI, lastJob, PLAIN, startSystem, UNKNOWN } from '../harness/start-system.ts'

const system = await startSystem()
afterAll(async () => system[Symbol.asyncDispose]())
const { client, full } = system

beforeEach(() => {
  full.plan = {}
})

const IGNORED = {
  seed: 7,
  user: 'ada',
  safety_identifier: 's',
  store: true,
  metadata: { canary: 'meta-canary' },
  service_tier: 'flex',
  prompt_cache_key: 'k',
  prompt_cache_retention: '24h',
  prompt_cache_options: { ttl: 1 },
}
const HEADER = 'x-service-ignored-params'

async function ask(fields: object) {
  return client.post({ model: FULL, messages: HI, ...fields })
}

describe('ignored fields', () => {
  it.each(Object.entries(IGNORED))('[G74a] lists %s', async (name, value) => {
    const answer = await ask({ [name]: value })
    expectCompletion(answer)
    expect(answer.headers.get(HEADER)).toBe(name)
  })

  it('[G74] [G74a] lists all of them once, in the order of the interface, and does nothing with them', async () => {
    const shuffled = Object.fromEntries(Object.entries(IGNORED).toReversed())
    const answer = await ask(shuffled)
    expectCompletion(answer)
    expect(answer.headers.get(HEADER)).toBe(Object.keys(IGNORED).join(','))
    expect(lastJob(full)).toStrictEqual({ model: FULL, messages: HI })
    for (const word of ['meta-canary', 'service_tier', 'metadata']) expect(answer.text).not.toContain(word)
  })

  it('[G75] lists none that are null, and sends no empty header', async () => {
    const nulls = Object.fromEntries(Object.keys(IGNORED).map((name) => [name, null]))
    expect((await ask(nulls)).headers.has(HEADER)).toBe(false)
    expect((await ask({})).headers.has(HEADER)).toBe(false)
    expect((await ask({ ...nulls, seed: 0 })).headers.get(HEADER)).toBe('seed')
  })

  it.each([
    { user: {} },
    { seed: 'x' },
    { metadata: 5 },
    { service_tier: 'bogus' },
    { store: [] },
    { seed: false },
    { user: '' },
    { prompt_cache_options: 0 },
  ])('[G76] does not check %j', async (fields) => {
    const answer = await ask(fields)
    expectCompletion(answer)
    expect(answer.headers.get(HEADER)).toBe(Object.keys(fields)[0])
  })

  it('[G77] lists them on streams', async () => {
    const { headers, done } = await client.stream({ model: FULL, messages: HI, seed: 1, store: false })
    expect(headers.get(HEADER)).toBe('seed,store')
    expect(done).toBe(true)
  })

  it('[G77] lists them on errors that come later', async () => {
    const unknown = await ask({ model: UNKNOWN, user: 'ada' })
    expectError(unknown, { status: 404, code: 'model_not_found' })
    expect(unknown.headers.get(HEADER)).toBe('user')
    expect((await ask({ model: DISABLED, user: 'ada' })).headers.get(HEADER)).toBe('user')
    expect((await ask({ model: PLAIN, n: 2, user: 'ada' })).headers.get(HEADER)).toBe('user')
    full.plan = { failure: { code: 'context_length_exceeded' } }
    for (const stream of [true, false]) {
      const failed = await ask({ user: 'ada', stream })
      expectError(failed, { status: 400, code: 'context_length_exceeded' })
      expect(failed.headers.get(HEADER)).toBe('user')
    }
  })
})

describe('rejected fields', () => {
  it.each([
    ['prediction', { type: 'content', content: 'x' }],
    ['verbosity', 'low'],
    ['moderation', {}],
    ['modalities', ['text']],
    ['modalities', []],
    ['audio', { voice: 'x' }],
    ['audio', false],
  ])('[G78] rejects %s %j', async (param, value) => {
    const error = expectError(await ask({ [param]: value }), { status: 400, code: 'unsupported_parameter', param })
    expect(error.message).toContain(`'${param}'`)
    expectError(await ask({ [param]: value, model: PLAIN, stream: true }), {
      status: 400,
      code: 'unsupported_parameter',
      param,
    })
  })

  it('[C28a] treats null as absent', async () => {
    const answer = await ask({ prediction: null, verbosity: null, moderation: null, modalities: null, audio: null })
    expectCompletion(answer)
    expect(answer.headers.has(HEADER)).toBe(false)
  })

  it('[G78a] names the first of several, in the order of the interface', async () => {
    expectError(await ask({ audio: {}, prediction: {}, modalities: [] }), {
      status: 400,
      code: 'unsupported_parameter',
      param: 'prediction',
    })
    expectError(await ask({ audio: {}, modalities: [] }), {
      status: 400,
      code: 'unsupported_parameter',
      param: 'modalities',
    })
  })
})
