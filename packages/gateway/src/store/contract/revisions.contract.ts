import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Member } from '../people/member-rows.ts'
import type { Organization } from '../people/organization-rows.ts'
import type { Store } from '../store.ts'
import { LATER, NOW, type StoreWorld } from './store-world.ts'

export function describeRevisions(world: StoreWorld): void {
  describe('revisions', () => {
    let store: Store
    let acme: Organization
    let owner: Member
    beforeEach(() => {
      ;({ store, acme, owner } = world)
    })

    it('increase with every change', async () => {
      const device = await world.enrol('studio')
      const { id } = await store.createKey(world.newKey())
      const model = { organization: acme.id, name: 'm' }
      expect(await world.increased(() => store.createKey(world.newKey()))).toEqual(['keys'])
      expect(await world.increased(() => store.revokeKey({ organization: acme.id, key: id }))).toEqual(['keys'])
      expect(await world.increased(() => store.enableModel(model))).toEqual(['models'])
      expect(await world.increased(() => store.disableModel(model))).toEqual(['models'])
      expect(await world.increased(() => store.removeModel(model))).toEqual(['models'])
      expect(await world.increased(() => store.enableModel(model))).toEqual(['models'])
      expect(await world.increased(() => world.enrol('laptop'))).toEqual(['devices'])
      expect(await world.increased(() => store.removeDevice({ organization: acme.id, device }))).toEqual(['devices'])
      expect(await world.increased(() => store.removeMember({ organization: acme.id, person: owner.person }))).toEqual([
        'keys',
      ])
      expect(await world.increased(() => store.createOrganization({ name: 'New' }))).toEqual(['keys'])
    })

    it('stay the same when access does not change', async () => {
      const device = await world.enrol('studio')
      const input = world.newKey()
      const { id } = await store.createKey(input)
      const model = { organization: acme.id, name: 'm' }
      await store.enableModel(model)
      expect(await world.increased(() => store.touchKeys([{ key: id, at: NOW }]))).toEqual([])
      expect(await world.increased(() => store.devicesSeen([{ device, app: '1.0.0', at: NOW }]))).toEqual([])
      expect(await world.increased(() => store.enableModel(model))).toEqual([])
      expect(await world.increased(() => store.disableModel({ ...model, name: 'unknown' }))).toEqual([])
      expect(await world.increased(() => store.createKey(input).catch(() => undefined))).toEqual([])
      expect(
        await world.increased(() =>
          store.createEnrolment({ organization: acme.id, digest: randomUUID(), expiresAt: LATER }),
        ),
      ).toEqual([])
      expect(await world.increased(() => store.listKeys(acme.id))).toEqual([])
    })

    it('[T29] are read before other queries that wait', async () => {
      await store.revisions()
      let finished = 0
      const others = Array.from({ length: 150 }, async () => {
        await store.listMembers(acme.id)
        finished += 1
      })
      await store.revisions()
      expect(finished).toBeLessThan(others.length)
      await Promise.all(others)
    })
  })
}
