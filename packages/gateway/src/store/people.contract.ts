// What every store does about people, devices that join, and the audit log.

import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Actor, Member, NewDeviceCode, Organization, Role, Store } from './store.ts'

const NOW = new Date('2026-11-15T10:00:00.000Z')
const LATER = new Date('2026-11-15T10:10:00.000Z')

function after(ms: number): Date {
  return new Date(NOW.getTime() + ms)
}

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

    describe('device codes', () => {
      async function ask(more: Partial<NewDeviceCode> = {}): Promise<NewDeviceCode> {
        const letters = randomUUID().slice(0, 4)
        const input = {
          digest: randomUUID(),
          selector: letters,
          userCodeDigest: randomUUID(),
          name: 'studio',
          app: '0.1.0',
          system: 'linux x64',
          address: '192.0.2.7',
          createdAt: NOW,
          expiresAt: LATER,
          intervalMs: 5_000,
          ...more,
        }
        expect(await store.createDeviceCode(input)).toBe(true)
        return input
      }

      function poll({ digest }: NewDeviceCode, at: Date) {
        return store.pollDeviceCode({ digest, credentialDigest: randomUUID(), at })
      }

      function decide({ selector, userCodeDigest }: NewDeviceCode, decision: 'approve' | 'deny', at = NOW) {
        return store.decideDeviceCode({ selector, userCodeDigest, at, organization: acme.id, decision, by: by(owner) })
      }

      it('[M26] let a device in once after a person has approved', async () => {
        const asking = await ask()
        expect(await poll(asking, NOW)).toEqual({ kind: 'pending' })
        const { selector, userCodeDigest } = asking
        expect(await store.findDeviceCode({ selector, userCodeDigest, at: NOW })).toMatchObject({
          name: 'studio',
          system: 'linux x64',
          address: '192.0.2.7',
        })
        expect(await decide(asking, 'approve')).toBe(true)
        expect(await poll(asking, after(6_000))).toMatchObject({
          kind: 'approved',
          device: { organization: acme.id, name: 'studio' },
        })
        expect(await poll(asking, after(12_000))).toEqual({ kind: 'expired' })
        expect(await store.listDevices(acme.id)).toHaveLength(1)
      })

      it('[M26] make one device when two polls come at once', async () => {
        const asking = await ask()
        await decide(asking, 'approve')
        const kinds = (await Promise.all([poll(asking, NOW), poll(asking, NOW)])).map(({ kind }) => kind)
        expect(kinds.toSorted()).toEqual(['approved', 'expired'])
        expect(await store.listDevices(acme.id)).toHaveLength(1)
      })

      it('[M26] turn away a device that was denied or came too late', async () => {
        const [denied, late] = [await ask(), await ask()]
        expect(await decide(denied, 'deny')).toBe(true)
        expect(await poll(denied, NOW)).toEqual({ kind: 'denied' })
        expect(await decide(late, 'approve', LATER)).toBe(false)
        expect(await poll(late, LATER)).toEqual({ kind: 'expired' })
        expect(await store.listDevices(acme.id)).toEqual([])
      })

      it('[M28] make a device that polls too fast wait five seconds longer', async () => {
        const asking = await ask()
        await poll(asking, NOW)
        expect(await poll(asking, after(4_999))).toEqual({ kind: 'slow-down', intervalMs: 10_000 })
        expect(await poll(asking, after(14_000))).toEqual({ kind: 'slow-down', intervalMs: 15_000 })
        expect(await poll(asking, after(30_000))).toEqual({ kind: 'pending' })
      })

      it('[M27] are void after five wrong tries', async () => {
        const asking = await ask()
        const { selector } = asking
        for (let count = 0; count < 5; count++)
          expect(await store.findDeviceCode({ selector, userCodeDigest: randomUUID(), at: NOW })).toBeUndefined()
        expect(await decide(asking, 'approve')).toBe(false)
        expect(await poll(asking, NOW)).toEqual({ kind: 'denied' })
      })

      it('[M27] stand four wrong tries, and none of another code', async () => {
        const [asking, other] = [await ask(), await ask()]
        for (let count = 0; count < 4; count++)
          await store.findDeviceCode({ selector: asking.selector, userCodeDigest: randomUUID(), at: NOW })
        for (let count = 0; count < 9; count++)
          await store.findDeviceCode({ selector: other.selector, userCodeDigest: randomUUID(), at: NOW })
        expect(await decide(asking, 'approve')).toBe(true)
      })

      it('[M26] are never found by two requests at once', async () => {
        const asking = await ask()
        const twin = { ...asking, digest: randomUUID(), userCodeDigest: randomUUID() }
        expect(await store.createDeviceCode(twin)).toBe(false)
        await decide(asking, 'deny')
        expect(await store.createDeviceCode(twin)).toBe(true)
      })
    })

    describe('devices', () => {
      it('[M24] are renamed, paused and resumed', async () => {
        const digest = randomUUID()
        await store.createEnrolment({ organization: acme.id, digest, expiresAt: LATER })
        const made = await store.redeemEnrolment({ digest, name: 'a', credentialDigest: randomUUID(), at: NOW })
        const place = { organization: acme.id, device: made!.id }
        const before = await store.revisions()
        expect(await store.changeDevice({ ...place, name: 'b', isPaused: true })).toBe(true)
        expect(await store.listDevices(acme.id)).toMatchObject([{ name: 'b', isPaused: true }])
        expect((await store.revisions()).devices).toBeGreaterThan(before.devices)
        expect(await store.accessDevices()).toContainEqual(expect.objectContaining({ id: made!.id, isPaused: true }))
        await store.changeDevice({ ...place, isPaused: false })
        expect(await store.listDevices(acme.id)).toMatchObject([{ name: 'b', isPaused: false }])
        expect(await store.changeDevice({ ...place, organization: randomUUID(), name: 'c' })).toBe(false)
      })

      it('[M29] cannot join with a token that was revoked', async () => {
        const digest = randomUUID()
        const { id } = await store.createEnrolment({ organization: acme.id, digest, expiresAt: LATER })
        expect(await store.listEnrolments({ organization: acme.id, at: NOW })).toMatchObject([{ id }])
        expect(await store.revokeEnrolment({ organization: acme.id, enrolment: id })).toBe(true)
        expect(await store.listEnrolments({ organization: acme.id, at: NOW })).toEqual([])
        const input = { digest, name: 'a', credentialDigest: randomUUID(), at: NOW }
        expect(await store.redeemEnrolment(input)).toBeUndefined()
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
        await store.noteRefusal({ organization: acme.id, ...refusal })
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
