import { describe, expect, it } from 'vitest'
import type { Store } from '../store.ts'
import { store, world } from '../../testing/store-world.ts'

const HOUR_MS = 3_600_000

describe('the audit log', () => {
  it('records who changed what, from what to what, and from which address', async () => {
    const target = await world.add('member')
    const change = {
      ...world.scope,
      person: target.person,
      role: 'admin' as const,
      by: world.actor(world.owner),
    }
    await store.changeRole(change)
    const [entry] = await world.audit(1)
    expect(entry).toEqual({
      id: expect.any(Number),
      at: expect.any(Date),
      actor: { kind: 'person', id: world.owner.person, name: 'Ann', address: '192.0.2.1' },
      action: 'member.change',
      isRefused: false,
      object: { kind: 'member', id: target.person, name: 'Bo' },
      before: { role: 'member' },
      after: { role: 'admin' },
    })
  })

  it('has an entry for every change, and none for requests that changed nothing', async () => {
    const organization = world.acme.id
    await store.renameOrganization({ organization, name: 'Acme 2' })
    await store.changeSettings({ organization, separatesPrefixes: true })
    await store.changeSettings({ organization, separatesPrefixes: true })
    await store.enableModel({ organization, name: 'm' })
    await store.disableModel({ organization, name: 'm' })
    await store.removeModel({ organization, name: 'm' })
    await store.removeModel({ organization, name: 'm' })
    await store.removeDevice({ organization, device: 'nope' })
    await store.revokeKey({ organization, key: 'nope' })
    const actions = (await store.listAudit({ organization, limit: 100 })).map(({ action }) => action)
    expect(actions).toEqual([
      'model.remove',
      'model.disable',
      'model.enable',
      'organization.change',
      'organization.rename',
      'organization.create',
    ])
  })

  it('records denied requests, and lists the newest entries first', async () => {
    const rejection = { actor: world.actor(world.owner), action: 'x.y', object: { kind: 'x', id: '1', name: 'n' } }
    await store.recordRejection({ ...world.scope, ...rejection })
    const [newest, ...older] = await world.audit(100)
    expect(newest).toMatchObject({ ...rejection, isRefused: true })
    expect(await store.listAudit({ ...world.scope, before: newest!.id, limit: 100 })).toEqual(older)
  })

  it('increases the revision of each kind of thing that changed', async () => {
    const values = async () =>
      Object.fromEntries(
        (await store.organizationRevisions([world.acme.id])).map(({ kind, value }) => [kind, value]),
      ) as Record<string, number>
    const before = await values()
    await store.enableModel({ ...world.scope, name: 'm' })
    const changed = await values()
    expect(changed).toEqual({ ...before, models: (before['models'] ?? 0) + 1 })
    expect(await store.organizationRevisions([])).toEqual([])
  })
})

describe('usage', () => {
  const hour = (text: string) => new Date(`2026-11-${text}:00:00.000Z`)

  it('is summed by model, key and device, by hour and by day, for everyone or for one person', async () => {
    const other = await world.add('member')
    const one = await store.createKey(world.newKey({ name: 'one' }))
    const two = await store.createKey(world.newKey({ name: 'two', createdBy: other.person }))
    await store.addUsage([
      world.usage({ hour: hour('15T09'), key: one.id, model: 'a', requests: 1 }),
      world.usage({ hour: hour('15T10'), key: two.id, model: 'a', requests: 2 }),
      world.usage({ hour: hour('15T10'), key: one.id, model: 'b', device: '', requests: 4 }),
    ])
    const question = { ...world.scope, from: hour('15T00'), to: hour('16T00') }
    type More = Omit<Parameters<Store['usagePoints']>[0], keyof typeof question | 'ids'>
    const points = async (more: More) => {
      const sums = await store.sumUsage({ ...question, ...more })
      const names = new Map(sums.map(({ id, name }) => [id, name]))
      const found = await store.usagePoints({ ...question, ...more, ids: [...names.keys()] })
      return found.map(({ at, id, requests }) => [at, names.get(id), requests])
    }
    expect(await points({ by: 'model', step: 'hour' })).toEqual([
      [hour('15T09'), 'a', 1],
      [hour('15T10'), 'a', 2],
      [hour('15T10'), 'b', 4],
    ])
    expect(await points({ by: 'model', step: 'day' })).toEqual([
      [hour('15T00'), 'a', 3],
      [hour('15T00'), 'b', 4],
    ])
    const byKey = (await points({ by: 'key', step: 'day' })).map((row) => JSON.stringify(row.slice(1)))
    expect(byKey.toSorted()).toEqual(['["one",5]', '["two",2]'])
    expect(await points({ by: 'key', step: 'day', createdBy: other.person })).toEqual([[hour('15T00'), 'two', 2]])
    expect(await points({ by: 'device', step: 'day', model: 'b' })).toEqual([[hour('15T00'), '', 4]])
  })

  it('of playground keys outlives them: they are removed after they expire, and it stays one key', async () => {
    const past = new Date(Date.now() - HOUR_MS)
    const [old, older, fresh, listed] = [
      await store.createKey(world.newKey({ session: 'a', expiresAt: past })),
      await store.createKey(world.newKey({ session: 'b', expiresAt: new Date(past.getTime() - 1) })),
      await store.createKey(world.newKey({ session: 'c', expiresAt: new Date(Date.now() + HOUR_MS) })),
      await store.createKey(world.newKey({ name: 'listed', expiresAt: past })),
    ]
    const at = new Date(Math.floor(Date.now() / HOUR_MS) * HOUR_MS)
    const use = (key: string, requests: number) => world.usage({ hour: at, key, model: 'a', requests })
    await store.addUsage([use(old.id, 1), use(older.id, 2), use(fresh.id, 4), use(listed.id, 8)])
    const sweep = { expiredBefore: new Date(), createdBy: world.owner.person }
    expect(await store.removePlaygroundKeys({ ...sweep, limit: 1 })).toBe(1)
    expect(await store.removePlaygroundKeys({ ...sweep, limit: 10 })).toBe(1)
    expect(await store.removePlaygroundKeys({ ...sweep, limit: 10 })).toBe(0)
    const question = { ...world.scope, from: past, to: new Date(Date.now() + 1), by: 'key' } as const
    const counted = (await store.listUsage(question)).map(({ key, requests }) => `${key} ${requests}`)
    const kept = `playground-${world.acme.id}-${world.owner.person}`
    expect(counted.toSorted()).toEqual([`${kept} 3`, `${fresh.id} 4`, `${listed.id} 8`].toSorted())
    const sums = await store.sumUsage({ ...question, createdBy: world.owner.person })
    expect(sums.map(({ name, requests }) => `${name} ${requests}`).toSorted()).toEqual([
      'Playground, Ann 7',
      'listed 8',
    ])
    const dayMs = 24 * HOUR_MS
    const from = new Date(Math.floor(at.getTime() / dayMs) * dayMs)
    const wholeDay = { ...question, from, to: new Date(from.getTime() + dayMs) }
    expect(await store.sumUsage(wholeDay)).toEqual(sums)
    expect((await store.listKeys(world.acme.id)).map(({ id }) => id)).toEqual([listed.id])
  })
})
