import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Member } from '../people/member-rows.ts'
import type { Organization } from '../people/organization-rows.ts'
import type { Store } from '../store.ts'
import { HOUR, LATER, NOW, type StoreWorld } from './store-world.ts'

const PAST = new Date(Date.now() - 60_000)

export function describeDeletion(world: StoreWorld): void {
  describe('an organization that is deleted', () => {
    let store: Store
    let acme: Organization
    let owner: Member
    beforeEach(() => {
      ;({ store, acme, owner } = world)
    })

    const deleteAcme = (deletesAt: Date) =>
      store.deleteOrganization({ organization: acme.id, deletesAt, by: world.actor(owner) })
    const isPaused = async (device: string) => (await store.accessDevices()).find(({ id }) => id === device)?.isPaused

    it('loses its access at once, and gets all of it back when it is restored', async () => {
      const { digest } = await store.createKey(world.newKey()).then(({ id }) => keyOf(id))
      const device = await world.enrol('studio')
      expect(await world.increased(() => deleteAcme(LATER))).toEqual(['keys', 'devices'])
      expect([await world.isUsable(digest), await isPaused(device)]).toEqual([false, true])
      const restore = () => store.restoreOrganization({ organization: acme.id, by: world.actor(owner) })
      expect(await world.increased(restore)).toEqual(['keys', 'devices'])
      expect([await world.isUsable(digest), await isPaused(device)]).toEqual([true, false])
      const actions = (await store.listAudit({ organization: acme.id, limit: 2 })).map(({ action }) => action)
      expect(actions).toEqual(['organization.restore', 'organization.delete'])
    })

    it('keeps the moment of the first deletion, and is deleted and restored once', async () => {
      await deleteAcme(LATER)
      await deleteAcme(new Date(LATER.getTime() + 1))
      expect((await store.membershipsOf(owner.person))[0]!.organization.deletesAt).toEqual(LATER)
      for (let time = 0; time < 2; time++) await store.restoreOrganization({ organization: acme.id })
      expect(await store.listAudit({ organization: acme.id, limit: 10 })).toHaveLength(3)
      expect(await store.deleteOrganization({ organization: 'nowhere', deletesAt: LATER })).toBe(false)
    })

    it('lets nobody and nothing join', async () => {
      const [link, token] = [randomUUID(), randomUUID()]
      const email = `${randomUUID()}@acme.test`
      await store.createInvitation({ organization: acme.id, role: 'member', digest: link, expiresAt: LATER, email })
      await store.createEnrolment({ organization: acme.id, digest: token, expiresAt: LATER })
      await deleteAcme(LATER)
      const as = { name: 'N', email, passwordHash: 'hash' }
      expect(await store.acceptInvitation({ digest: link, at: new Date(), as })).toEqual({ kind: 'unknown' })
      expect(await store.findInvitation({ digest: link, at: new Date() })).toBeUndefined()
      expect(await store.isInvited({ email, at: new Date() })).toBe(false)
      const joining = { digest: token, name: 'd', credentialDigest: randomUUID(), at: new Date() }
      expect(await store.redeemEnrolment(joining)).toBeUndefined()
      await store.restoreOrganization({ organization: acme.id })
      expect(await store.acceptInvitation({ digest: link, at: new Date(), as })).toMatchObject({ kind: 'joined' })
      expect(await store.redeemEnrolment(joining)).toMatchObject({ name: 'd' })
    })

    it('stays until its time has come', async () => {
      await deleteAcme(new Date(Date.now() + 60_000))
      await sweep()
      expect(await store.listMembers(acme.id)).toHaveLength(1)
    })

    it('is gone after its time, a few rows at a time, and cannot be restored', async () => {
      await fill()
      await deleteAcme(PAST)
      expect(await store.sweepOrganizations({ limit: 3 })).toBe(3)
      expect(await store.restoreOrganization({ organization: acme.id })).toBe(false)
      expect(await sweep(3)).toBeLessThanOrEqual(3)
      expect((await store.listOrganizations()).some(({ id }) => id === acme.id)).toBe(false)
      expect(await left()).toEqual([[], [], [], [], [], []])
      // The person stays, and can join others.
      expect(await store.membershipsOf(owner.person)).toEqual([])
    })

    it('is deleted by one gateway, however many sweep', async () => {
      await fill()
      await deleteAcme(PAST)
      const deleted = await Promise.all(Array.from({ length: 8 }, () => sweep(2)))
      expect(Math.max(...deleted)).toBeLessThanOrEqual(2)
      expect(await left()).toEqual([[], [], [], [], [], []])
    })

    async function keyOf(id: string) {
      return (await store.accessKeys()).find((key) => key.id === id)!
    }

    /** Sweeps until nothing is left to do; returns the most rows of one turn. */
    async function sweep(limit = 100): Promise<number> {
      for (let most = 0; ;) {
        const deleted = await store.sweepOrganizations({ limit })
        if (deleted === 0) return most
        most = Math.max(most, deleted)
      }
    }

    async function fill(): Promise<void> {
      const { id: key } = await store.createKey(world.newKey())
      const device = await world.enrol('studio')
      await store.enableModel({ organization: acme.id, name: 'm' })
      const place = { organization: acme.id, key, model: 'm', device }
      const counts = { requests: 1, errors: 0, promptTokens: 1, completionTokens: 1, waitMs: 1, busyMs: 1 }
      const codes = [{ hour: HOUR, ...place, code: 'invalid_json', requests: 1 }]
      const times = {
        waitMs: 1,
        firstTokenMs: 2,
        totalMs: 3,
        attempts: 1,
        isStream: true,
        isSealed: false,
        takeOver: undefined,
      }
      const request = { at: NOW, request: 'r', ...place, code: '', promptTokens: 4, completionTokens: 5, ...times }
      await store.addUsage([{ hour: HOUR, ...place, ...counts }], undefined, { codes, requests: [request] })
    }

    async function left(): Promise<unknown[]> {
      const question = { organization: acme.id, from: HOUR, to: LATER }
      return Promise.all([
        store.listKeys(acme.id),
        store.listDevices(acme.id),
        store.listModels(acme.id),
        store.listUsage(question),
        store.listRequests({ organization: acme.id, limit: 10 }).then(({ requests }) => requests),
        store.listAudit({ organization: acme.id, limit: 10 }),
      ])
    }
  })
}
