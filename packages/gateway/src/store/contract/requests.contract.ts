import { describe, expect, it } from 'vitest'
import type { RequestQuestion, RequestRow } from '../usage/requests.ts'
import { HOUR, KEPT_REQUESTS, NOW, store, world } from '../../testing/store-world.ts'

describe('the list of requests', () => {
  async function add(requests: readonly RequestRow[], number?: number): Promise<void> {
    const batch = number === undefined ? undefined : { journal: `requests of ${world.acme.id}`, number }
    await store.addUsage([world.usage()], batch, { codes: [], requests })
  }

  const ask = (more: Partial<RequestQuestion> = {}) => store.listRequests({ ...world.scope, limit: 100, ...more })
  const names = async (more: Partial<RequestQuestion> = {}) => (await ask(more)).requests.map(({ request }) => request)

  it('names each request with its key, models, devices, tokens, times and end', async () => {
    const key = await store.createKey(world.newKey({ name: 'laptop' }))
    const [device, attic] = [await world.enrol('studio'), await world.enrol('attic')]
    const takeOver = { left: attic, gapMs: 900 }
    const end = { firstTokenMs: undefined, code: 'server_error', isSealed: true }
    const row = world.request('a', { key: key.id, device, takeOver, ...end })
    await add([row, world.request('b', { takeOver: { left: 'removed', gapMs: 1 } }), world.request('c')])
    const { requests } = await ask()
    expect(requests.map(({ leftName }) => leftName)).toEqual([undefined, 'removed', 'attic'])
    const names = { keyName: 'laptop', deviceName: 'studio', leftName: 'attic' }
    expect(requests.at(-1)).toEqual({ ...row, number: expect.any(Number), ...names })
  })

  it('counts the replies that a device continued, and its own that others continued', async () => {
    const other = await store.createOrganization({ name: 'Other' })
    const from = (left: string) => ({ takeOver: { left, gapMs: 1 } })
    await add([
      world.request('a', { device: 'd', ...from('attic') }),
      world.request('b', { device: 'd', ...from('cellar') }),
      world.request('c', { device: 'cellar', ...from('d') }),
      world.request('d', { device: 'cellar', ...from('attic') }),
      world.request('e', { device: 'd', attempts: 2 }),
      world.request('f', { device: 'd', at: HOUR, ...from('attic') }),
      world.request('g', { device: 'd', organization: other.id, ...from('attic') }),
    ])
    const count = (device: string) => store.countTakeOvers({ ...world.scope, device, from: NOW })
    expect(await count('d')).toEqual({ continued: 2, handedOn: 1 })
    expect(await count('attic')).toEqual({ continued: 0, handedOn: 2 })
    expect(await count('nobody')).toEqual({ continued: 0, handedOn: 0 })
  })

  it('is read a page at a time, newest first', async () => {
    await add(['a', 'b', 'c'].map((name) => world.request(name)))
    await add(['d', 'e'].map((name) => world.request(name)))
    const first = await ask({ limit: 2 })
    const second = await ask({ limit: 2, before: first.next! })
    const third = await ask({ limit: 2, before: second.next! })
    const pages = [first, second, third].map(({ requests }) => requests.map((one) => one.request).join(''))
    expect([pages, third.next]).toEqual([['ed', 'cb', 'a'], undefined])
  })

  it('is filtered by key, model, device, end and time', async () => {
    await add([
      world.request('a', { key: 'x' }),
      world.request('b', { model: 'y', code: 'invalid_json' }),
      world.request('c', { device: 'z', code: 'canceled' }),
      world.request('d', { at: HOUR, code: 'rate_limit_exceeded' }),
    ])
    expect(await names({ key: 'x' })).toEqual(['a'])
    expect(await names({ model: 'y' })).toEqual(['b'])
    expect(await names({ device: 'z' })).toEqual(['c'])
    expect(await names({ code: 'answered' })).toEqual(['a'])
    expect(await names({ code: 'failed' })).toEqual(['d', 'b'])
    expect(await names({ code: 'canceled' })).toEqual(['c'])
    expect(await names({ code: 'invalid_json' })).toEqual(['b'])
    expect(await names({ to: NOW })).toEqual(['d'])
    expect(await names({ from: NOW })).toEqual(['c', 'b', 'a'])
  })

  it('finds rare requests far back', async () => {
    await add([world.request('rare', { model: 'rare' })])
    await add(Array.from({ length: 3_000 }, (_, index) => world.request(`${index}`)))
    const { requests, next } = await ask({ model: 'rare', limit: 10 })
    expect([requests.map((one) => one.request), next]).toEqual([['rare'], undefined])
  })

  it('keeps the newest of an organization, up to the size of the ring', async () => {
    await add([world.request('oldest'), world.request('second')])
    const many = (from: number, count: number) =>
      Array.from({ length: count }, (_, index) => world.request(`${from + index}`))
    await add(many(0, 1_000))
    await add(many(1_000, KEPT_REQUESTS - 1_001))
    expect(await names({ limit: 1 })).toEqual([`${KEPT_REQUESTS - 2}`])
    const { requests, next } = await ask({ limit: 2, before: 4 })
    expect([requests.map((one) => one.request), next]).toEqual([['0', 'second'], undefined])
    expect(await names({ model: 'nothing' })).toEqual([])
  })

  it('has each batch of a journal once', async () => {
    await add([world.request('a')], 1)
    await add([world.request('a')], 1)
    await add([world.request('b')], 2)
    expect(await names()).toEqual(['b', 'a'])
  })

  it('shows only requests of the organization, and of one person if asked to', async () => {
    const guest = await world.add('member')
    const own = await store.createKey(world.newKey({ createdBy: guest.person }))
    const other = await store.createOrganization({ name: 'Other' })
    await add([
      world.request('mine', { key: own.id }),
      world.request('acme'),
      world.request('other', { organization: other.id }),
    ])
    expect(await names()).toEqual(['acme', 'mine'])
    expect(await names({ createdBy: guest.person })).toEqual(['mine'])
    expect(await names({ organization: other.id })).toEqual(['other'])
  })

  it('numbers requests of several gateways one after the other', async () => {
    await Promise.all(['a', 'b', 'c', 'd'].map((name) => add(Array.from({ length: 50 }, () => world.request(name)))))
    const { requests } = await ask({ limit: 200 })
    expect(new Set(requests.map(({ number }) => number)).size).toBe(200)
  })

  it('names one key for all playground keys of a person, also after they are removed', async () => {
    const past = new Date(Date.now() - 3_600_000)
    const [gone, kept] = [
      await store.createKey(world.newKey({ session: 'a', expiresAt: past })),
      await store.createKey(world.newKey({ session: 'b' })),
    ]
    await add([world.request('a', { key: gone.id }), world.request('b', { key: kept.id })])
    await store.removePlaygroundKeys({ expiredBefore: new Date(), limit: 9, createdBy: world.owner.person })
    const key = `playground-${world.owner.person}`
    expect(await names({ key, createdBy: world.owner.person })).toEqual(['b', 'a'])
    expect((await ask()).requests.map(({ keyName }) => keyName)).toEqual(['Playground, Ann', 'Playground, Ann'])
  })
})
