import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { NewInvitation } from '../people/invitations.ts'
import type { Member } from '../people/member-rows.ts'
import type { Role } from '../tables/people.ts'
import { LATER, NOW, store, world } from '../../testing/store-world.ts'

async function roles(): Promise<Role[]> {
  return (await store.listMembers(world.acme.id)).map(({ role }) => role).toSorted()
}
describe('members', () => {
  it('checks permission with the roles at the moment of the change', async () => {
    const [admin, target] = [await world.add('admin'), await world.add('member')]
    const asked: unknown[] = []
    const change = {
      ...world.scope,
      person: target.person,
      role: 'admin' as const,
      by: world.actor(admin),
    }
    const rejected = await store.changeRole({ ...change, permits: (seen) => asked.push(seen) < 0 })
    expect([rejected, asked]).toEqual(['rejected', [{ actor: 'admin', target: 'member' }]])
    await store.removeMember({ ...world.scope, person: admin.person })
    await store.changeRole({ ...change, permits: (seen) => asked.push(seen) < 0 })
    expect(asked[1]).toEqual({ actor: undefined, target: 'member' })
    expect(await roles()).toEqual(['member', 'owner'])
  })

  it('keeps one owner when two remove each other at the same moment', async () => {
    const second = await world.add('owner')
    const remove = (actor: Member, target: Member) =>
      store.removeMember({
        ...world.scope,
        person: target.person,
        by: world.actor(actor),
        permits: ({ actor: role }) => role === 'owner',
      })
    const outcomes = await Promise.all([remove(world.owner, second), remove(second, world.owner)])
    expect(outcomes.toSorted()).toEqual(['done', 'rejected'])
    expect(await roles()).toEqual(['owner'])
  })

  it('keeps the last owner, no matter who asks', async () => {
    const change = {
      ...world.scope,
      person: world.owner.person,
      by: world.actor(world.owner),
      permits: () => true,
    }
    expect(await store.removeMember(change)).toBe('last-owner')
    expect(await store.changeRole({ ...change, role: 'member' })).toBe('last-owner')
    expect(await store.changeRole({ ...change, role: 'owner' })).toBe('done')
    expect(await roles()).toEqual(['owner'])
  })

  it('revokes the unused links and tokens of someone who is demoted or removed', async () => {
    const organization = world.acme.id
    const [admin, other] = [await world.add('admin'), await world.add('admin')]
    const offer = async ({ person }: Member) => {
      const link = { organization, role: 'admin' as const, expiresAt: LATER, digest: randomUUID() }
      await store.createInvitation({ ...link, invitedBy: person })
      await store.createEnrolment({ organization, digest: randomUUID(), expiresAt: LATER, createdBy: person })
    }
    const open = async () => [
      (await store.listInvitations({ organization, at: NOW })).length,
      (await store.listEnrolments({ organization, at: NOW })).length,
    ]
    for (const member of [world.owner, admin, other]) await offer(member)
    expect(await open()).toEqual([3, 3])
    await store.changeRole({ organization, person: admin.person, role: 'member' })
    expect(await open()).toEqual([2, 2])
    await store.removeMember({ organization, person: other.person })
    expect(await open()).toEqual([1, 1])
    await store.changeRole({ organization, person: admin.person, role: 'owner' })
    expect(await open()).toEqual([1, 1])
  })

  it('counts the working keys of a member', async () => {
    await store.createKey(world.newKey())
    await store.createKey(world.newKey({ expiresAt: new Date(0) }))
    const { id } = await store.createKey(world.newKey())
    await store.revokeKey({ ...world.scope, key: id })
    expect(await store.listMembers(world.acme.id)).toMatchObject([{ activeKeys: 1 }])
  })
})

describe('invitations', () => {
  async function invite(more: Partial<NewInvitation> = {}): Promise<string> {
    const digest = randomUUID()
    const base = { ...world.scope, role: 'member' as const, expiresAt: LATER }
    await store.createInvitation({ ...base, ...more, digest })
    return digest
  }

  function newcomer(email = `${randomUUID()}@new.test`) {
    return { name: 'New', email, passwordHash: 'hash' }
  }

  function accept(digest: string, as: Parameters<typeof store.acceptInvitation>[0]['as'] = newcomer(), at = NOW) {
    return store.acceptInvitation({ digest, at, as })
  }

  async function outcome(...asked: Parameters<typeof accept>): Promise<string> {
    return (await accept(...asked)).kind
  }

  it('make someone a member once, before they expire', async () => {
    const digest = await invite({ role: 'admin' })
    expect(await outcome(digest, newcomer(), LATER)).toBe('unknown')
    const joined = await accept(digest)
    expect(joined).toMatchObject({ kind: 'joined', ...world.scope })
    expect(await outcome(digest)).toBe('unknown')
    expect(await roles()).toEqual(['admin', 'owner'])
  })

  it('make one member when two people accept at the same moment', async () => {
    const digest = await invite()
    const kinds = (await Promise.all([accept(digest), accept(digest)])).map(({ kind }) => kind)
    expect(kinds.toSorted()).toEqual(['joined', 'unknown'])
    expect(await roles()).toEqual(['member', 'owner'])
  })

  it('are listed in pages, newest first', async () => {
    for (let index = 0; index < 3; index++) await invite()
    const all = await store.listInvitations({ ...world.scope, at: NOW })
    const page = (offset: number) => store.pageInvitations({ ...world.scope, at: NOW, offset, limit: 2 })
    expect(await page(0)).toEqual({ invitations: all.slice(0, 2), count: 3 })
    expect(await page(2)).toEqual({ invitations: all.slice(2), count: 3 })
  })

  it('that were used or have expired are forgotten when another is created', async () => {
    const used = await invite({ most: 1 })
    await accept(used)
    await invite({ most: 1, expiresAt: new Date(0) })
    await invite({ most: 1 })
    const long = { ...world.scope, at: new Date(-1) }
    expect(await store.listInvitations(long)).toHaveLength(1)
  })

  it('for an email address work for nobody else', async () => {
    const email = `${randomUUID()}@New.test`
    const digest = await invite({ email })
    expect(await outcome(digest)).toBe('wrong-person')
    const as = { person: world.owner.person }
    expect(await outcome(digest, as)).toBe('wrong-person')
    expect(await outcome(digest, newcomer(email))).toBe('joined')
  })

  it('never hand over an existing account', async () => {
    expect(await outcome(await invite(), newcomer(world.owner.email))).toBe('sign-in-first')
    const bound = await invite({ email: world.owner.email })
    expect(await outcome(bound, newcomer(world.owner.email))).toBe('sign-in-first')
    expect(await store.signInWays(world.owner.person)).toEqual({ hasPassword: false, hasSecondFactor: false })
  })

  it('let a member added by the operator set a password once, and keep the role', async () => {
    const digest = await invite({ claims: world.owner.person, email: world.owner.email })
    expect(await outcome(digest)).toBe('wrong-person')
    const joined = await accept(digest, newcomer(world.owner.email))
    expect(joined).toEqual({ kind: 'joined', ...world.scope, person: world.owner.person })
    expect(await store.signInWays(world.owner.person)).toMatchObject({ hasPassword: true })
    expect(await roles()).toEqual(['owner'])
    const again = await invite({ claims: world.owner.person })
    expect(await outcome(again, newcomer(world.owner.email))).toBe('sign-in-first')
  })

  it('let a member added by the operator choose an email address, once', async () => {
    const first = newcomer()
    const digest = await invite({ claims: world.owner.person })
    expect(await accept(digest, first)).toMatchObject({
      person: world.owner.person,
    })
    const members = await store.listMembers(world.acme.id)
    expect(members.map(({ person, email }) => [person, email])).toEqual([
      [world.owner.person, first.email.toLowerCase()],
    ])
    const again = await invite({ claims: world.owner.person })
    const second = { ...newcomer(), email: 'someone.else@example.org' }
    expect(await outcome(again, second)).toBe('wrong-person')
  })

  it('to the first owner are open one at a time, and end when somebody becomes owner', async () => {
    const [first, second] = [await invite({ claims: world.owner.person }), await invite({ claims: world.owner.person })]
    expect(await store.findInvitation({ digest: first, at: NOW })).toBeUndefined()
    expect(await store.findInvitation({ digest: second, at: NOW })).toBeDefined()
    const owner = await invite({ role: 'owner' })
    expect(await outcome(owner)).toBe('joined')
    expect(await store.findInvitation({ digest: second, at: NOW })).toBeUndefined()
  })

  it('do not change the role of a member who accepts one', async () => {
    const digest = await invite()
    const as = { person: world.owner.person }
    expect(await outcome(digest, as)).toBe('member-already')
    expect(await roles()).toEqual(['owner'])
  })
})

describe('organizations and members', () => {
  it('are created together, even if the name is taken', async () => {
    const second = await store.createOrganization({ name: 'Acme' })
    expect(second.id).not.toBe(world.acme.id)
    const ids = (await store.listOrganizations()).map(({ id }) => id)
    expect(ids).toEqual(expect.arrayContaining([world.acme.id, second.id]))
    expect(world.owner).toMatchObject({ ...world.scope, name: 'Ann', role: 'owner' })
    expect(await store.listMembers(second.id)).toEqual([])
  })

  it('identify a person by email address in any case, across organizations', async () => {
    const email = `${randomUUID()}@People.test`
    const other = await store.createOrganization({ name: 'Other' })
    const first = await store.addMember({ ...world.scope, email, name: 'Bo', role: 'member' })
    const second = await store.addMember({
      organization: other.id,
      email: email.toUpperCase(),
      name: 'B',
      role: 'admin',
    })
    expect(second).toEqual({
      organization: other.id,
      person: first.person,
      email: email.toLowerCase(),
      name: 'Bo',
      role: 'admin',
    })
    expect(await store.listMembers(other.id)).toEqual([
      { ...second, joinedAt: expect.any(Date), tokensPerMonth: null, activeKeys: 0 },
    ])
  })

  it('give someone who is added again the new role', async () => {
    await store.addMember({ ...world.scope, email: world.owner.email, name: 'Ann', role: 'admin' })
    expect(await store.listMembers(world.acme.id)).toEqual([{ ...world.owner, role: 'admin' }])
  })
})
