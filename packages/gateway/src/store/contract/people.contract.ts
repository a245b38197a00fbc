// What every store does about members and invitations.

import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Actor, Member, Organization, Role, Store } from '../store.ts'

const NOW = new Date('2026-11-15T10:00:00.000Z')
const LATER = new Date('2026-11-15T10:10:00.000Z')

export function describePeople(name: string, open: () => Promise<Store>): void {
  describe(`people on ${name}`, () => {
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

    async function roles(): Promise<Role[]> {
      return (await store.listMembers(acme.id)).map(({ role }) => role).toSorted()
    }
    describe('members', () => {
      it('[M17] asks for permission with the roles of that moment', async () => {
        const [admin, target] = [await add('admin'), await add('member')]
        const asked: unknown[] = []
        const change = { organization: acme.id, person: target.person, role: 'admin' as const, by: by(admin) }
        const refused = await store.changeRole({ ...change, permits: (seen) => asked.push(seen) < 0 })
        expect([refused, asked]).toEqual(['refused', [{ actor: 'admin', target: 'member' }]])
        await store.removeMember({ organization: acme.id, person: admin.person })
        await store.changeRole({ ...change, permits: (seen) => asked.push(seen) < 0 })
        expect(asked[1]).toEqual({ actor: undefined, target: 'member' })
        expect(await roles()).toEqual(['member', 'owner'])
      })

      it('[M18] keeps one owner when two remove each other at once', async () => {
        const second = await add('owner')
        const remove = (actor: Member, target: Member) =>
          store.removeMember({
            organization: acme.id,
            person: target.person,
            by: by(actor),
            permits: ({ actor: role }) => role === 'owner',
          })
        const outcomes = await Promise.all([remove(owner, second), remove(second, owner)])
        expect(outcomes.toSorted()).toEqual(['done', 'refused'])
        expect(await roles()).toEqual(['owner'])
      })

      it('[M18] keeps the last owner, whoever asks', async () => {
        const change = { organization: acme.id, person: owner.person, by: by(owner), permits: () => true }
        expect(await store.removeMember(change)).toBe('last-owner')
        expect(await store.changeRole({ ...change, role: 'member' })).toBe('last-owner')
        expect(await store.changeRole({ ...change, role: 'owner' })).toBe('done')
        expect(await roles()).toEqual(['owner'])
      })

      it('[M17] takes back the links and tokens of a member who is demoted or goes', async () => {
        const organization = acme.id
        const [admin, other] = [await add('admin'), await add('admin')]
        const offer = async ({ person }: Member) => {
          const link = { organization, role: 'admin' as const, expiresAt: LATER, digest: randomUUID() }
          await store.createInvitation({ ...link, invitedBy: person })
          await store.createEnrolment({ organization, digest: randomUUID(), expiresAt: LATER, createdBy: person })
        }
        const open = async () => [
          (await store.listInvitations({ organization, at: NOW })).length,
          (await store.listEnrolments({ organization, at: NOW })).length,
        ]
        for (const member of [owner, admin, other]) await offer(member)
        expect(await open()).toEqual([3, 3])
        await store.changeRole({ organization, person: admin.person, role: 'member' })
        expect(await open()).toEqual([2, 2])
        await store.removeMember({ organization, person: other.person })
        expect(await open()).toEqual([1, 1])
        await store.changeRole({ organization, person: admin.person, role: 'owner' })
        expect(await open()).toEqual([1, 1])
      })

      it('[M19] counts the keys that would end with a membership', async () => {
        const key = { organization: acme.id, createdBy: owner.person, name: 'k', hint: 'abcd' }
        await store.createKey({ ...key, digest: randomUUID() })
        await store.createKey({ ...key, digest: randomUUID(), expiresAt: new Date(0) })
        const { id } = await store.createKey({ ...key, digest: randomUUID() })
        await store.revokeKey({ organization: acme.id, key: id })
        expect(await store.listMembers(acme.id)).toMatchObject([{ activeKeys: 1 }])
      })
    })

    describe('invitations', () => {
      async function invite(more: { email?: string; claims?: string; role?: Role } = {}): Promise<string> {
        const digest = randomUUID()
        const { role = 'member', ...rest } = more
        await store.createInvitation({ organization: acme.id, role, digest, expiresAt: LATER, ...rest })
        return digest
      }

      function newcomer(email = `${randomUUID()}@new.test`) {
        return { name: 'New', email, passwordHash: 'hash' }
      }

      it('[M15] make a member once, and not too late', async () => {
        const digest = await invite({ role: 'admin' })
        expect(await store.acceptInvitation({ digest, at: LATER, as: newcomer() })).toEqual({ kind: 'unknown' })
        const joined = await store.acceptInvitation({ digest, at: NOW, as: newcomer() })
        expect(joined).toMatchObject({ kind: 'joined', organization: acme.id })
        expect(await store.acceptInvitation({ digest, at: NOW, as: newcomer() })).toEqual({ kind: 'unknown' })
        expect(await roles()).toEqual(['admin', 'owner'])
      })

      it('[M15] make one member when two accept at once', async () => {
        const digest = await invite()
        const accept = () => store.acceptInvitation({ digest, at: NOW, as: newcomer() })
        const kinds = (await Promise.all([accept(), accept()])).map(({ kind }) => kind)
        expect(kinds.toSorted()).toEqual(['joined', 'unknown'])
        expect(await roles()).toEqual(['member', 'owner'])
      })

      it('[M15] are listed until they are used or revoked', async () => {
        await invite()
        const [listed] = await store.listInvitations({ organization: acme.id, at: NOW })
        expect(listed).toMatchObject({ role: 'member' })
        expect(JSON.stringify(listed)).not.toContain('digest')
        expect(await store.listInvitations({ organization: acme.id, at: LATER })).toEqual([])
        expect(await store.revokeInvitation({ organization: randomUUID(), invitation: listed!.id })).toBe(false)
        expect(await store.revokeInvitation({ organization: acme.id, invitation: listed!.id })).toBe(true)
        expect(await store.listInvitations({ organization: acme.id, at: NOW })).toEqual([])
      })

      it('[M15] for one address are for nobody else', async () => {
        const email = `${randomUUID()}@New.test`
        const digest = await invite({ email })
        expect(await store.acceptInvitation({ digest, at: NOW, as: newcomer() })).toEqual({ kind: 'wrong-person' })
        const as = { person: owner.person }
        expect(await store.acceptInvitation({ digest, at: NOW, as })).toEqual({ kind: 'wrong-person' })
        expect(await store.acceptInvitation({ digest, at: NOW, as: newcomer(email) })).toMatchObject({ kind: 'joined' })
      })

      it('[M16] never give an address away that somebody has', async () => {
        const outcome = await store.acceptInvitation({ digest: await invite(), at: NOW, as: newcomer(owner.email) })
        expect(outcome).toEqual({ kind: 'sign-in-first' })
        const bound = await invite({ email: owner.email })
        expect(await store.acceptInvitation({ digest: bound, at: NOW, as: newcomer(owner.email) })).toEqual({
          kind: 'sign-in-first',
        })
        expect(await store.signInWays(owner.person)).toEqual({ hasPassword: false, hasSecondFactor: false })
      })

      it('[M16] let one whom the operator made come in for the first time, and keep the role', async () => {
        const digest = await invite({ claims: owner.person, email: owner.email })
        expect(await store.acceptInvitation({ digest, at: NOW, as: newcomer() })).toEqual({ kind: 'wrong-person' })
        const joined = await store.acceptInvitation({ digest, at: NOW, as: newcomer(owner.email) })
        expect(joined).toEqual({ kind: 'joined', organization: acme.id, person: owner.person })
        expect(await store.signInWays(owner.person)).toMatchObject({ hasPassword: true })
        expect(await roles()).toEqual(['owner'])
        const again = await invite({ claims: owner.person })
        expect(await store.acceptInvitation({ digest: again, at: NOW, as: newcomer(owner.email) })).toEqual({
          kind: 'sign-in-first',
        })
      })

      it('[M16] let one whom the operator made choose the address, once', async () => {
        const first = newcomer()
        const digest = await invite({ claims: owner.person })
        expect(await store.acceptInvitation({ digest, at: NOW, as: first })).toMatchObject({ person: owner.person })
        const members = await store.listMembers(acme.id)
        expect(members.map(({ person, email }) => [person, email])).toEqual([[owner.person, first.email.toLowerCase()]])
        const again = await invite({ claims: owner.person })
        const second = { ...newcomer(), email: 'somebody.else@example.org' }
        expect(await store.acceptInvitation({ digest: again, at: NOW, as: second })).toEqual({ kind: 'wrong-person' })
      })

      it('[M15] do not change the role of a member who opens one', async () => {
        const digest = await invite()
        const as = { person: owner.person }
        expect(await store.acceptInvitation({ digest, at: NOW, as })).toEqual({ kind: 'member-already' })
        expect(await roles()).toEqual(['owner'])
      })
    })

    describe('keys', () => {
      it('[M20] carry their models and limits to where access is decided', async () => {
        const digest = randomUUID()
        const limits = { requestsPerMinute: 5, jobsAtOnce: 2 }
        const key = { organization: acme.id, createdBy: owner.person, name: 'k', hint: 'abcd', digest }
        const { id } = await store.createKey({ ...key, models: ['a/b', 'c'], limits })
        expect(await store.listKeys(acme.id)).toMatchObject([{ id, models: ['a/b', 'c'], limits }])
        const access = (await store.accessKeys()).find((one) => one.id === id)
        expect(access).toEqual({ id, organization: acme.id, digest, models: ['a/b', 'c'], limits })
      })

      it('[M20] of one person are found and revoked apart from the others', async () => {
        const other = await add('member')
        const key = { organization: acme.id, name: 'k', hint: 'abcd' }
        const { id: own } = await store.createKey({ ...key, createdBy: other.person, digest: randomUUID() })
        const { id: foreign } = await store.createKey({ ...key, createdBy: owner.person, digest: randomUUID() })
        const createdBy = other.person
        expect((await store.listKeys(acme.id, { createdBy })).map(({ id }) => id)).toEqual([own])
        expect(await store.revokeKey({ organization: acme.id, key: foreign, createdBy })).toBe(false)
        expect(await store.revokeKey({ organization: acme.id, key: own, createdBy })).toBe(true)
      })
    })
  })
}
