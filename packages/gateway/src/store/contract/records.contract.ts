// What every store does about the audit log and usage.

import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Actor, Member, Organization, Role, Store } from '../store.ts'

export function describeRecords(name: string, open: () => Promise<Store>): void {
  describe(`records on ${name}`, () => {
    let store: Store
    let acme: Organization
    let owner: Member

    beforeAll(async () => {
      store = await open()
    })
    afterAll(async () => {
      await store.close()
    })
    beforeEach(async () => {
      acme = await store.createOrganization({
        name: 'Acme',
        owner: { email: `${randomUUID()}@acme.test`, name: 'Ann' },
      })
      owner = (await store.listMembers(acme.id))[0]!
    })

    function add(role: Role): Promise<Member> {
      return store.addMember({ organization: acme.id, email: `${randomUUID()}@acme.test`, name: 'Bo', role })
    }

    function by({ person, name }: Member): Actor {
      return { kind: 'person', id: person, name, address: '192.0.2.1' }
    }

    describe('the audit log', () => {
      it('[M35] says who did what to whom, before and after, and from where', async () => {
        const target = await add('member')
        const change = { organization: acme.id, person: target.person, role: 'admin' as const, by: by(owner) }
        await store.changeRole(change)
        const [entry] = await store.listAudit({ organization: acme.id, limit: 1 })
        expect(entry).toEqual({
          id: expect.any(Number),
          at: expect.any(Date),
          actor: { kind: 'person', id: owner.person, name: 'Ann', address: '192.0.2.1' },
          action: 'member.change',
          isRefused: false,
          object: { kind: 'member', id: target.person, name: 'Bo' },
          before: { role: 'member' },
          after: { role: 'admin' },
        })
      })

      it('[M35] has an entry for every kind of change, and none for what changed nothing', async () => {
        const organization = acme.id
        await store.renameOrganization({ organization, name: 'Acme 2' })
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
          'organization.rename',
          'organization.create',
        ])
      })

      it('[M36] only grows', async () => {
        const refusal = { actor: by(owner), action: 'x.y', object: { kind: 'x', id: '1', name: 'n' } }
        await store.recordRefusal({ organization: acme.id, ...refusal })
        const [newest, ...older] = await store.listAudit({ organization: acme.id, limit: 100 })
        expect(newest).toMatchObject({ ...refusal, isRefused: true })
        expect(await store.listAudit({ organization: acme.id, before: newest!.id, limit: 100 })).toEqual(older)
      })

      it('[M38] moves the revision of what looks different now', async () => {
        const values = async () =>
          Object.fromEntries(
            (await store.organizationRevisions([acme.id])).map(({ kind, value }) => [kind, value]),
          ) as Record<string, number>
        const before = await values()
        await store.enableModel({ organization: acme.id, name: 'm' })
        const changed = await values()
        expect(changed).toEqual({ ...before, models: (before['models'] ?? 0) + 1 })
        expect(await store.organizationRevisions([])).toEqual([])
      })
    })

    describe('usage', () => {
      const hour = (text: string) => new Date(`2026-11-${text}:00:00.000Z`)

      it('[M37] is summed by model, key and device, by hour and by day, for all or for one person', async () => {
        const other = await add('member')
        const make = (createdBy: string, name: string) =>
          store.createKey({ organization: acme.id, createdBy, name, digest: randomUUID(), hint: 'abcd' })
        const [one, two] = [await make(owner.person, 'one'), await make(other.person, 'two')]
        const row = { organization: acme.id, device: '', errors: 0, promptTokens: 10, completionTokens: 1, waitMs: 5 }
        await store.addUsage([
          { ...row, hour: hour('15T09'), key: one.id, model: 'a', requests: 1 },
          { ...row, hour: hour('15T10'), key: two.id, model: 'a', requests: 2 },
          { ...row, hour: hour('15T10'), key: one.id, model: 'b', requests: 4 },
        ])
        const question = { organization: acme.id, from: hour('15T00'), to: hour('16T00') }
        const sums = async (more: Omit<Parameters<Store['sumUsage']>[0], keyof typeof question>) =>
          (await store.sumUsage({ ...question, ...more })).map(({ at, name, requests }) => [at, name, requests])
        expect(await sums({ by: 'model', step: 'hour' })).toEqual([
          [hour('15T09'), 'a', 1],
          [hour('15T10'), 'a', 2],
          [hour('15T10'), 'b', 4],
        ])
        expect(await sums({ by: 'model', step: 'day' })).toEqual([
          [hour('15T00'), 'a', 3],
          [hour('15T00'), 'b', 4],
        ])
        const byKey = (await sums({ by: 'key', step: 'day' })).map((row) => JSON.stringify(row.slice(1)))
        expect(byKey.toSorted()).toEqual(['["one",5]', '["two",2]'])
        expect(await sums({ by: 'key', step: 'day', createdBy: other.person })).toEqual([[hour('15T00'), 'two', 2]])
        expect(await sums({ by: 'device', step: 'day', model: 'b' })).toEqual([[hour('15T00'), '', 4]])
      })
    })
  })
}
