import OpenAI from 'openai'
import { afterAll, describe, expect, it } from 'vitest'
import { expectError } from '../harness/client/expect-reply.ts'
import type { ModelBody } from '../harness/client/reply-shapes.ts'
import { DISABLED, FULL, HI, LONELY, OTHERS, PLAIN, REMOVED, startSystem, UNKNOWN } from '../harness/start-system.ts'

const system = await startSystem({ devices: 'none' })
afterAll(async () => system[Symbol.asyncDispose]())
const { client, keys } = system

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

  it('[B22] ends after one page', async () => {
    const openai = new OpenAI({ baseURL: client.base, apiKey: client.key, maxRetries: 0 })
    const ids: string[] = []
    for await (const model of openai.models.list()) ids.push(model.id)
    expect(ids.toSorted()).toStrictEqual([...system.models].toSorted())
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
  const slashes = FULL.replaceAll('/', '%2F')
  it.each([
    slashes,
    FULL.replaceAll('/', '%2f'),
    FULL,
    slashes.replaceAll(':', '%3A'),
    slashes.replaceAll(':', '%3a'),
    FULL.replace('a', '%61'),
  ])('[B18] is found as %s', async (path) => {
    const { status, json } = await client.call(`/models/${path}`)
    expect(status).toBe(200)
    expect(json).toMatchObject({ id: FULL, object: 'model' })
    const list = (await client.call('/models')).json as { data: ModelBody[] }
    expect(json).toStrictEqual(list.data.find((model) => model.id === FULL))
  })

  it.each([UNKNOWN, DISABLED, REMOVED])('[B19] is not found if it is not enabled: %s', async (name) => {
    const error = expectError(await client.call(`/models/${encodeURIComponent(name)}`), NOT_FOUND)
    expect(error.message).toContain(name)
  })

  it.each(['%E0%A4%A', '%', '%zz', 'a%252Fb', FULL.replaceAll('/', '%252F'), '%FF%FE'])(
    '[B20] is not found as %s',
    async (path) => {
      expectError(await client.call(`/models/${path}`), NOT_FOUND)
    },
  )

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
