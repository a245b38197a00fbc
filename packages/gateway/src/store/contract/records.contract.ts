// Behavior of every store: the audit log and usage sums.

import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { Store } from '../store.ts'
import type { UsageRow } from '../usage/usage-addition.ts'
import type { StoreWorld } from './store-world.ts'

const HOUR_MS = 3_600_000

export function describeRecords(world: StoreWorld): void {
  describe('the audit log', () => {
    it('[M35] records who changed what, from what to what, and from which address', async () => {
      const target = await world.add('member')
      const change = {
        organization: world.acme.id,
        person: target.person,
        role: 'admin' as const,
        by: world.actor(world.owner),
      }
      await world.store.changeRole(change)
      const [entry] = await world.store.listAudit({ organization: world.acme.id, limit: 1 })
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

    it('[M35] has an entry for every change, and none for requests that changed nothing', async () => {
      const organization = world.acme.id
      await world.store.renameOrganization({ organization, name: 'Acme 2' })
      await world.store.changeSettings({ organization, separatesPrefixes: true })
      await world.store.changeSettings({ organization, separatesPrefixes: true })
      await world.store.enableModel({ organization, name: 'm' })
      await world.store.disableModel({ organization, name: 'm' })
      await world.store.removeModel({ organization, name: 'm' })
      await world.store.removeModel({ organization, name: 'm' })
      await world.store.removeDevice({ organization, device: 'nope' })
      await world.store.revokeKey({ organization, key: 'nope' })
      const actions = (await world.store.listAudit({ organization, limit: 100 })).map(({ action }) => action)
      expect(actions).toEqual([
        'model.remove',
        'model.disable',
        'model.enable',
        'organization.change',
        'organization.rename',
        'organization.create',
      ])
    })

    it('[M35] records denied requests, and lists the newest entries first', async () => {
      const rejection = { actor: world.actor(world.owner), action: 'x.y', object: { kind: 'x', id: '1', name: 'n' } }
      await world.store.recordRejection({ organization: world.acme.id, ...rejection })
      const [newest, ...older] = await world.store.listAudit({ organization: world.acme.id, limit: 100 })
      expect(newest).toMatchObject({ ...rejection, isRefused: true })
      expect(await world.store.listAudit({ organization: world.acme.id, before: newest!.id, limit: 100 })).toEqual(
        older,
      )
    })

    it('increases the revision of each kind of thing that changed', async () => {
      const values = async () =>
        Object.fromEntries(
          (await world.store.organizationRevisions([world.acme.id])).map(({ kind, value }) => [kind, value]),
        ) as Record<string, number>
      const before = await values()
      await world.store.enableModel({ organization: world.acme.id, name: 'm' })
      const changed = await values()
      expect(changed).toEqual({ ...before, models: (before['models'] ?? 0) + 1 })
      expect(await world.store.organizationRevisions([])).toEqual([])
    })
  })

  describe('usage', () => {
    const hour = (text: string) => new Date(`2026-11-${text}:00:00.000Z`)

    function row(more: Pick<UsageRow, 'hour' | 'key' | 'model' | 'requests'>): UsageRow {
      const counters = { errors: 0, promptTokens: 10, completionTokens: 1, waitMs: 5, busyMs: 2 }
      return { organization: world.acme.id, device: '', ...counters, ...more }
    }

    it('[M20a] is summed by model, key and device, by hour and by day, for everyone or for one person', async () => {
      const other = await world.add('member')
      const make = (createdBy: string, name: string) =>
        world.store.createKey({ organization: world.acme.id, createdBy, name, digest: randomUUID(), hint: 'abcd' })
      const [one, two] = [await make(world.owner.person, 'one'), await make(other.person, 'two')]
      await world.store.addUsage([
        row({ hour: hour('15T09'), key: one.id, model: 'a', requests: 1 }),
        row({ hour: hour('15T10'), key: two.id, model: 'a', requests: 2 }),
        row({ hour: hour('15T10'), key: one.id, model: 'b', requests: 4 }),
      ])
      const question = { organization: world.acme.id, from: hour('15T00'), to: hour('16T00') }
      type More = Omit<Parameters<Store['usagePoints']>[0], keyof typeof question | 'ids'>
      const points = async (more: More) => {
        const sums = await world.store.sumUsage({ ...question, ...more })
        const names = new Map(sums.map(({ id, name }) => [id, name]))
        const found = await world.store.usagePoints({ ...question, ...more, ids: [...names.keys()] })
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

    it('of one person in the playground counts as one key', async () => {
      const sessions = await Promise.all(
        ['first', 'second'].map((session) => world.store.createKey(world.newKey({ session }))),
      )
      await world.store.addUsage(
        sessions.map(({ id: key }) => row({ hour: hour('15T09'), key, model: 'a', requests: 2 })),
      )
      const day = { from: hour('15T00'), to: hour('16T00'), by: 'key' } as const
      const sums = await world.store.sumUsage({ organization: world.acme.id, ...day })
      expect(sums).toMatchObject([{ name: 'Playground, Ann', requests: 4 }])
    })

    it('of playground keys outlives them: they are removed after they expire, and it stays one key', async () => {
      const past = new Date(Date.now() - HOUR_MS)
      const [old, older, fresh, listed] = [
        await world.store.createKey(world.newKey({ session: 'a', expiresAt: past })),
        await world.store.createKey(world.newKey({ session: 'b', expiresAt: new Date(past.getTime() - 1) })),
        await world.store.createKey(world.newKey({ session: 'c', expiresAt: new Date(Date.now() + HOUR_MS) })),
        await world.store.createKey(world.newKey({ name: 'listed', expiresAt: past })),
      ]
      const at = new Date(Math.floor(Date.now() / HOUR_MS) * HOUR_MS)
      const use = (key: string, requests: number) => row({ hour: at, key, model: 'a', requests })
      await world.store.addUsage([use(old.id, 1), use(older.id, 2), use(fresh.id, 4), use(listed.id, 8)])
      const sweep = { expiredBefore: new Date(), createdBy: world.owner.person }
      expect(await world.store.removePlaygroundKeys({ ...sweep, limit: 1 })).toBe(1)
      expect(await world.store.removePlaygroundKeys({ ...sweep, limit: 10 })).toBe(1)
      expect(await world.store.removePlaygroundKeys({ ...sweep, limit: 10 })).toBe(0)
      const usage = await world.store.listUsage({
        organization: world.acme.id,
        from: past,
        to: new Date(Date.now() + 1),
      })
      const kept = `playground-${world.acme.id}-${world.owner.person}`
      const counted = usage.map(({ key, requests }) => [key, requests])
      expect(new Map(counted as [string, number][])).toEqual(
        new Map([
          [kept, 3],
          [fresh.id, 4],
          [listed.id, 8],
        ]),
      )
      const question = {
        organization: world.acme.id,
        from: past,
        to: new Date(Date.now() + 1),
        by: 'key',
      } as const
      const sums = await world.store.sumUsage({ ...question, createdBy: world.owner.person })
      expect(new Set(sums.map(({ name, requests }) => `${name} ${requests}`))).toEqual(
        new Set(['Playground, Ann 7', 'listed 8']),
      )
      const dayMs = 24 * HOUR_MS
      const from = new Date(Math.floor(at.getTime() / dayMs) * dayMs)
      const wholeDay = { ...question, from, to: new Date(from.getTime() + dayMs) }
      expect(await world.store.sumUsage(wholeDay)).toEqual(sums)
      expect((await world.store.listKeys(world.acme.id)).map(({ id }) => id)).toEqual([listed.id])
    })
  })
}
