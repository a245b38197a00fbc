// Behavior of every store: members, invitations and keys.

import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { NewInvitation } from '../people/invitations.ts'
import type { Member } from '../people/member-rows.ts'
import type { Role } from '../tables/people.ts'
import { LATER, NOW, type StoreWorld } from './store-world.ts'

export function describePeople(world: StoreWorld): void {
  async function roles(): Promise<Role[]> {
    return (await world.store.listMembers(world.acme.id)).map(({ role }) => role).toSorted()
  }
  describe('members', () => {
    it('[M17] checks permission with the roles at the moment of the change', async () => {
      const [admin, target] = [await world.add('admin'), await world.add('member')]
      const asked: unknown[] = []
      const change = {
        organization: world.acme.id,
        person: target.person,
        role: 'admin' as const,
        by: world.actor(admin),
      }
      const rejected = await world.store.changeRole({ ...change, permits: (seen) => asked.push(seen) < 0 })
      expect([rejected, asked]).toEqual(['rejected', [{ actor: 'admin', target: 'member' }]])
      await world.store.removeMember({ organization: world.acme.id, person: admin.person })
      await world.store.changeRole({ ...change, permits: (seen) => asked.push(seen) < 0 })
      expect(asked[1]).toEqual({ actor: undefined, target: 'member' })
      expect(await roles()).toEqual(['member', 'owner'])
    })

    it('[M18] keeps one owner when two remove each other at the same moment', async () => {
      const second = await world.add('owner')
      const remove = (actor: Member, target: Member) =>
        world.store.removeMember({
          organization: world.acme.id,
          person: target.person,
          by: world.actor(actor),
          permits: ({ actor: role }) => role === 'owner',
        })
      const outcomes = await Promise.all([remove(world.owner, second), remove(second, world.owner)])
      expect(outcomes.toSorted()).toEqual(['done', 'rejected'])
      expect(await roles()).toEqual(['owner'])
    })

    it('[M18] keeps the last owner, no matter who asks', async () => {
      const change = {
        organization: world.acme.id,
        person: world.owner.person,
        by: world.actor(world.owner),
        permits: () => true,
      }
      expect(await world.store.removeMember(change)).toBe('last-owner')
      expect(await world.store.changeRole({ ...change, role: 'member' })).toBe('last-owner')
      expect(await world.store.changeRole({ ...change, role: 'owner' })).toBe('done')
      expect(await roles()).toEqual(['owner'])
    })

    it('[M17] revokes the unused links and tokens of someone who is demoted or removed', async () => {
      const organization = world.acme.id
      const [admin, other] = [await world.add('admin'), await world.add('admin')]
      const offer = async ({ person }: Member) => {
        const link = { organization, role: 'admin' as const, expiresAt: LATER, digest: randomUUID() }
        await world.store.createInvitation({ ...link, invitedBy: person })
        await world.store.createEnrolment({ organization, digest: randomUUID(), expiresAt: LATER, createdBy: person })
      }
      const open = async () => [
        (await world.store.listInvitations({ organization, at: NOW })).length,
        (await world.store.listEnrolments({ organization, at: NOW })).length,
      ]
      for (const member of [world.owner, admin, other]) await offer(member)
      expect(await open()).toEqual([3, 3])
      await world.store.changeRole({ organization, person: admin.person, role: 'member' })
      expect(await open()).toEqual([2, 2])
      await world.store.removeMember({ organization, person: other.person })
      expect(await open()).toEqual([1, 1])
      await world.store.changeRole({ organization, person: admin.person, role: 'owner' })
      expect(await open()).toEqual([1, 1])
    })

    it('counts the working keys of a member', async () => {
      const key = { organization: world.acme.id, createdBy: world.owner.person, name: 'k', hint: 'abcd' }
      await world.store.createKey({ ...key, digest: randomUUID() })
      await world.store.createKey({ ...key, digest: randomUUID(), expiresAt: new Date(0) })
      const { id } = await world.store.createKey({ ...key, digest: randomUUID() })
      await world.store.revokeKey({ organization: world.acme.id, key: id })
      expect(await world.store.listMembers(world.acme.id)).toMatchObject([{ activeKeys: 1 }])
    })
  })

  describe('invitations', () => {
    async function invite(more: Partial<NewInvitation> = {}): Promise<string> {
      const digest = randomUUID()
      const base = { organization: world.acme.id, role: 'member' as const, expiresAt: LATER }
      await world.store.createInvitation({ ...base, ...more, digest })
      return digest
    }

    function newcomer(email = `${randomUUID()}@new.test`) {
      return { name: 'New', email, passwordHash: 'hash' }
    }

    it('[M15] make someone a member once, before they expire', async () => {
      const digest = await invite({ role: 'admin' })
      expect(await world.store.acceptInvitation({ digest, at: LATER, as: newcomer() })).toEqual({ kind: 'unknown' })
      const joined = await world.store.acceptInvitation({ digest, at: NOW, as: newcomer() })
      expect(joined).toMatchObject({ kind: 'joined', organization: world.acme.id })
      expect(await world.store.acceptInvitation({ digest, at: NOW, as: newcomer() })).toEqual({ kind: 'unknown' })
      expect(await roles()).toEqual(['admin', 'owner'])
    })

    it('[M15] make one member when two people accept at the same moment', async () => {
      const digest = await invite()
      const accept = () => world.store.acceptInvitation({ digest, at: NOW, as: newcomer() })
      const kinds = (await Promise.all([accept(), accept()])).map(({ kind }) => kind)
      expect(kinds.toSorted()).toEqual(['joined', 'unknown'])
      expect(await roles()).toEqual(['member', 'owner'])
    })

    it('are listed until they are used or revoked', async () => {
      await invite()
      const [listed] = await world.store.listInvitations({ organization: world.acme.id, at: NOW })
      expect(listed).toMatchObject({ role: 'member' })
      expect(JSON.stringify(listed)).not.toContain('digest')
      expect(await world.store.listInvitations({ organization: world.acme.id, at: LATER })).toEqual([])
      expect(await world.store.revokeInvitation({ organization: randomUUID(), invitation: listed!.id })).toBe(false)
      expect(await world.store.revokeInvitation({ organization: world.acme.id, invitation: listed!.id })).toBe(true)
      expect(await world.store.listInvitations({ organization: world.acme.id, at: NOW })).toEqual([])
    })

    it('are listed in pages, newest first', async () => {
      for (let index = 0; index < 3; index++) await invite()
      const all = await world.store.listInvitations({ organization: world.acme.id, at: NOW })
      const page = (offset: number) =>
        world.store.pageInvitations({ organization: world.acme.id, at: NOW, offset, limit: 2 })
      expect(await page(0)).toEqual({ invitations: all.slice(0, 2), count: 3 })
      expect(await page(2)).toEqual({ invitations: all.slice(2), count: 3 })
    })

    it('are limited per organization, also for admins who create them at the same moment', async () => {
      const create = () => invite({ most: 3 }).then(String, (error: unknown) => error)
      const made = await Promise.all(Array.from({ length: 8 }, create))
      const rejected = made.filter((one) => typeof one !== 'string')
      expect(rejected).toHaveLength(5)
      expect(rejected[0]).toMatchObject({
        code: 'limit',
        message: expect.stringMatching(/has 3 of 3 allowed unused invitations\. Revoke.*INVITATIONS_PER_ORGANIZATION/),
      })
    })

    it('that were used or have expired are forgotten when another is created', async () => {
      const used = await invite({ most: 1 })
      await world.store.acceptInvitation({ digest: used, at: NOW, as: newcomer() })
      await invite({ most: 1, expiresAt: new Date(0) })
      await invite({ most: 1 })
      const long = { organization: world.acme.id, at: new Date(-1) }
      expect(await world.store.listInvitations(long)).toHaveLength(1)
    })

    it('[M15] for an email address work for nobody else', async () => {
      const email = `${randomUUID()}@New.test`
      const digest = await invite({ email })
      expect(await world.store.acceptInvitation({ digest, at: NOW, as: newcomer() })).toEqual({ kind: 'wrong-person' })
      const as = { person: world.owner.person }
      expect(await world.store.acceptInvitation({ digest, at: NOW, as })).toEqual({ kind: 'wrong-person' })
      expect(await world.store.acceptInvitation({ digest, at: NOW, as: newcomer(email) })).toMatchObject({
        kind: 'joined',
      })
    })

    it('[M16] never hand over an existing account', async () => {
      const outcome = await world.store.acceptInvitation({
        digest: await invite(),
        at: NOW,
        as: newcomer(world.owner.email),
      })
      expect(outcome).toEqual({ kind: 'sign-in-first' })
      const bound = await invite({ email: world.owner.email })
      expect(await world.store.acceptInvitation({ digest: bound, at: NOW, as: newcomer(world.owner.email) })).toEqual({
        kind: 'sign-in-first',
      })
      expect(await world.store.signInWays(world.owner.person)).toEqual({ hasPassword: false, hasSecondFactor: false })
    })

    it('let a member added by the operator set a password once, and keep the role', async () => {
      const digest = await invite({ claims: world.owner.person, email: world.owner.email })
      expect(await world.store.acceptInvitation({ digest, at: NOW, as: newcomer() })).toEqual({ kind: 'wrong-person' })
      const joined = await world.store.acceptInvitation({ digest, at: NOW, as: newcomer(world.owner.email) })
      expect(joined).toEqual({ kind: 'joined', organization: world.acme.id, person: world.owner.person })
      expect(await world.store.signInWays(world.owner.person)).toMatchObject({ hasPassword: true })
      expect(await roles()).toEqual(['owner'])
      const again = await invite({ claims: world.owner.person })
      expect(await world.store.acceptInvitation({ digest: again, at: NOW, as: newcomer(world.owner.email) })).toEqual({
        kind: 'sign-in-first',
      })
    })

    it('let a member added by the operator choose an email address, once', async () => {
      const first = newcomer()
      const digest = await invite({ claims: world.owner.person })
      expect(await world.store.acceptInvitation({ digest, at: NOW, as: first })).toMatchObject({
        person: world.owner.person,
      })
      const members = await world.store.listMembers(world.acme.id)
      expect(members.map(({ person, email }) => [person, email])).toEqual([
        [world.owner.person, first.email.toLowerCase()],
      ])
      const again = await invite({ claims: world.owner.person })
      const second = { ...newcomer(), email: 'someone.else@example.org' }
      expect(await world.store.acceptInvitation({ digest: again, at: NOW, as: second })).toEqual({
        kind: 'wrong-person',
      })
    })

    it('[M15] do not change the role of a member who accepts one', async () => {
      const digest = await invite()
      const as = { person: world.owner.person }
      expect(await world.store.acceptInvitation({ digest, at: NOW, as })).toEqual({ kind: 'member-already' })
      expect(await roles()).toEqual(['owner'])
    })
  })

  describe('keys', () => {
    it('come with their models and limits where access is checked', async () => {
      const digest = randomUUID()
      const limits = { requestsPerMinute: 5, jobsAtOnce: 2 }
      const key = { organization: world.acme.id, createdBy: world.owner.person, name: 'k', hint: 'abcd', digest }
      const { id } = await world.store.createKey({ ...key, models: ['a/b', 'c'], limits })
      expect(await world.store.listKeys(world.acme.id)).toMatchObject([{ id, models: ['a/b', 'c'], limits }])
      const access = (await world.store.accessKeys()).find((one) => one.id === id)
      expect(access).toEqual({ id, organization: world.acme.id, digest, models: ['a/b', 'c'], limits })
    })

    it('[M20a] of one person are listed and revoked separately', async () => {
      const other = await world.add('member')
      const key = { organization: world.acme.id, name: 'k', hint: 'abcd' }
      const { id: own } = await world.store.createKey({ ...key, createdBy: other.person, digest: randomUUID() })
      const { id: foreign } = await world.store.createKey({
        ...key,
        createdBy: world.owner.person,
        digest: randomUUID(),
      })
      const createdBy = other.person
      expect((await world.store.listKeys(world.acme.id, { createdBy })).map(({ id }) => id)).toEqual([own])
      expect(await world.store.revokeKey({ organization: world.acme.id, key: foreign, createdBy })).toBe(false)
      expect(await world.store.revokeKey({ organization: world.acme.id, key: own, createdBy })).toBe(true)
    })
  })
}
