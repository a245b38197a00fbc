// Usage and the list of requests.

import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import type { UsageRow } from '../../store/usage/usage-addition.ts'
import {
  acme,
  chat,
  inAcme,
  makeKey,
  newcomer,
  people,
  putModel,
  stranger,
  world,
  type MadeKey,
} from '../../testing/console-fixture.ts'
import type { Visitor } from '../../testing/visitor.ts'
import { countTime, noTimes } from '../../store/usage/time-buckets.ts'

interface Usage {
  total: { requests: number; errors: number; times: Record<string, { median: number; bad: number } | null> }
  sums: { id: string; name: string; busyMs: number }[]
  points: { id: string; requests: number }[]
  leftOut: number
  codes: { code: string; status: number; requests: number }[]
}

interface Listed {
  requests: { id: string; key: object; model: string; device: null; status: number; code: string }[]
  next: number | null
}

const WAIT = { timeout: 20_000 }
const SECRET_MODEL = 'no-such-model-that-anyone-made-up'

const to = new Date(Date.now() + 3_600_000)
const range = `from=${new Date(to.getTime() - 86_400_000).toISOString()}&to=${to.toISOString()}`
const usage = async (visitor: Visitor, query = '') =>
  (await visitor.get<Usage>(inAcme(`/usage?${range}&${query}`))).body
const list = async (visitor: Visitor, query = '') => (await visitor.get<Listed>(inAcme(`/requests?${query}`))).body

describe('requests that were refused', () => {
  let made: MadeKey
  let requestId: string

  beforeAll(async () => {
    made = await makeKey(people.member, { name: 'refused' })
    const body = JSON.stringify({ model: SECRET_MODEL, messages: [{ role: 'user', content: 'hi' }] })
    for (let count = 0; count < 10; count++)
      requestId = (await chat(made.secret, body)).headers.get('x-request-id') ?? ''
    await chat(made.secret, '{')
    await vi.waitFor(
      async () => expect((await usage(people.admin, `key=${made.key.id}`)).total.requests).toBe(11),
      WAIT,
    )
  })

  it('count for their key, by error code, and not as errors of the service', async () => {
    const { total, codes } = await usage(people.member, `key=${made.key.id}`)
    expect(total).toMatchObject({ requests: 11, errors: 0 })
    expect(codes).toEqual([
      { code: 'model_not_found', status: 404, requests: 10 },
      { code: 'invalid_json', status: 400, requests: 1 },
    ])
  })

  it('are listed without the name of a model that does not exist', async () => {
    const { requests } = await list(people.member, `key=${made.key.id}&result=model_not_found`)
    expect(requests).toHaveLength(10)
    const key = { id: made.key.id, name: 'refused' }
    expect(requests[0]).toMatchObject({ id: requestId, key, model: '', device: null, status: 404 })
    expect(JSON.stringify(requests)).not.toContain(SECRET_MODEL)
  })

  it('[A15h] are found by what their client calls them', async () => {
    const id = `order-${randomUUID()}`
    const own = await makeKey(people.member, { name: 'named' })
    const response = await chat(own.secret, '{', { 'x-request-id': id })
    expect(response.headers.get('x-request-id')).toBe(id)
    await vi.waitFor(
      async () => expect((await list(people.member, `id=${id}`)).requests).toMatchObject([{ id, status: 400 }]),
      WAIT,
    )
    expect((await list(people.member, `id=${id}-not`)).requests).toEqual([])
  })

  it.each([1, 300_000])('are listed with the model that they named, with a body of %d characters', async (length) => {
    const own = await makeKey(people.member, { name: `invalid-${length}` })
    const name = `valid-${randomUUID()}`
    await putModel({ name })
    const messages = [{ role: 'user', content: 'x'.repeat(length) }]
    expect((await chat(own.secret, JSON.stringify({ model: name, messages, temperature: 9 }))).status).toBe(400)
    await vi.waitFor(async () => {
      const { requests } = await list(people.member, `key=${own.key.id}`)
      expect(requests).toMatchObject([{ model: name, status: 400 }])
    }, WAIT)
  })

  it('are shown to their owner and to admins, and to nobody else', async () => {
    const query = `key=${made.key.id}`
    const guest = await newcomer()
    expect((await list(people.admin, query)).requests).toHaveLength(11)
    expect((await list(guest, query)).requests).toEqual([])
    expect((await usage(guest, query)).codes).toEqual([])
    expect((await stranger.get(inAcme('/requests'))).status).toBe(404)
  })
})

describe('usage of many keys', () => {
  const model = `many-${randomUUID()}`

  beforeAll(async () => {
    const times = noTimes()
    for (let ms = 1; ms <= 100; ms++) countTime(times, 'firstToken', ms * 10)
    const place = { hour: new Date(Math.floor(Date.now() / 3_600_000) * 3_600_000), organization: acme, device: '' }
    const counts = { errors: 0, promptTokens: 1, completionTokens: 1, waitMs: 0 }
    const row = (index: number): UsageRow => {
      const own = { key: `many-${index}`, requests: 1_000 - index, busyMs: index }
      return { ...place, ...counts, ...own, model, times }
    }
    await world.store.addUsage(Array.from({ length: 600 }, (_, index) => row(index)))
  })

  it('sends the first sums, and series only for the keys that lead', async () => {
    const { sums, points, leftOut } = await usage(people.owner, `by=key&model=${model}`)
    expect([sums.length, leftOut, sums[0]?.id]).toEqual([500, 100, 'many-0'])
    expect(points.length).toBeLessThan(50)
    expect(points.map(({ id }) => id)).toEqual(expect.arrayContaining(['\n', 'many-0', 'many-599']))
    const requests = points.reduce((sum, point) => sum + point.requests, 0)
    expect(requests).toBe(600 * 1_000 - (599 * 600) / 2)
  })

  it('estimates the median and the worst twentieth of times to first token', async () => {
    const { times } = (await usage(people.owner, `by=key&model=${model}`)).total
    expect(times['firstTokenMs']?.median).toBeGreaterThan(350)
    expect(times['firstTokenMs']?.median).toBeLessThan(700)
    expect(times['firstTokenMs']?.bad).toBeGreaterThan(700)
    expect(times['waitMs']).toBeNull()
  })
})
