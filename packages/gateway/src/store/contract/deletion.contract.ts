import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { LATER, store, world } from '../../testing/store-world.ts'

const PAST = new Date(Date.now() - 60_000)

describe('an organization that is deleted', () => {
  const deleteAcme = (deletesAt: Date) =>
    store.deleteOrganization({ ...world.scope, deletesAt, by: world.actor(world.owner) })
  const isPaused = async (device: string) => (await store.accessDevices()).find(({ id }) => id === device)?.isPaused

  it('loses its access at once, and gets all of it back when it is restored', async () => {
    const { digest, ...key } = world.newKey()
    await store.createKey({ digest, ...key })
    const device = await world.enrol('studio')
    expect(await world.increased(() => deleteAcme(LATER))).toEqual(['keys', 'devices'])
    expect([await world.isUsable(digest), await isPaused(device)]).toEqual([false, true])
    const restore = () => store.restoreOrganization({ ...world.scope, by: world.actor(world.owner) })
    expect(await world.increased(restore)).toEqual(['keys', 'devices'])
    expect([await world.isUsable(digest), await isPaused(device)]).toEqual([true, false])
    const actions = await world.actions(2)
    expect(actions).toEqual(['organization.restore', 'organization.delete'])
  })

  it('keeps the moment of the first deletion, and is deleted and restored once', async () => {
    await deleteAcme(LATER)
    await deleteAcme(new Date(LATER.getTime() + 1))
    expect((await store.membershipsOf(world.owner.person))[0]!.organization.deletesAt).toEqual(LATER)
    for (let time = 0; time < 2; time++) await store.restoreOrganization(world.scope)
    expect(await world.audit(10)).toHaveLength(3)
    expect(await store.deleteOrganization({ organization: 'nowhere', deletesAt: LATER })).toBe(false)
  })

  it('lets nobody and nothing join', async () => {
    const [link, token] = [randomUUID(), randomUUID()]
    const email = `${randomUUID()}@world.acme.test`
    await store.createInvitation({ ...world.scope, role: 'member', digest: link, expiresAt: LATER, email })
    await store.createEnrolment({ ...world.scope, digest: token, expiresAt: LATER })
    await deleteAcme(LATER)
    const as = { name: 'N', email, passwordHash: 'hash' }
    expect(await store.acceptInvitation({ digest: link, at: new Date(), as })).toEqual({ kind: 'unknown' })
    expect(await store.findInvitation({ digest: link, at: new Date() })).toBeUndefined()
    expect(await store.isInvited({ email, at: new Date() })).toBe(false)
    const joining = { digest: token, name: 'd', credentialDigest: randomUUID(), at: new Date() }
    expect(await store.redeemEnrolment(joining)).toBeUndefined()
    await store.restoreOrganization(world.scope)
    expect(await store.acceptInvitation({ digest: link, at: new Date(), as })).toMatchObject({ kind: 'joined' })
    expect(await store.redeemEnrolment(joining)).toMatchObject({ name: 'd' })
  })

  it('stays until its time has come', async () => {
    await deleteAcme(new Date(Date.now() + 60_000))
    await sweep()
    expect(await store.listMembers(world.acme.id)).toHaveLength(1)
  })

  it('is gone after its time, however many gateways sweep, each a few rows at a time, and cannot be restored', async () => {
    await world.fill()
    await deleteAcme(PAST)
    expect(await store.sweepOrganizations({ limit: 3 })).toBe(3)
    expect(await store.restoreOrganization(world.scope)).toBe(false)
    const deleted = await Promise.all(Array.from({ length: 8 }, () => sweep(2)))
    expect(Math.max(...deleted)).toBeLessThanOrEqual(2)
    expect((await store.listOrganizations()).some(({ id }) => id === world.acme.id)).toBe(false)
    // The person stays, and can join others.
    expect(await store.membershipsOf(world.owner.person)).toEqual([])
  })

  /** Sweeps until nothing is left to do; returns the most rows of one turn. */
  async function sweep(limit = 100): Promise<number> {
    for (let most = 0; ;) {
      const deleted = await store.sweepOrganizations({ limit })
      if (deleted === 0) return most
      most = Math.max(most, deleted)
    }
  }
})
