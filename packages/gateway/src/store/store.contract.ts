// What every store does, whichever database is behind it.

import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Member, NewKey, Organization, Store, UsageRow } from './store.ts'

const NOW = new Date('2026-11-15T10:00:00.000Z')
const LATER = new Date('2026-11-15T11:00:00.000Z')
const HOUR = new Date('2026-11-15T09:00:00.000Z')

export function describeStore(name: string, open: () => Promise<Store>): void {
  describe(`store on ${name}`, () => {
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

    function newKey(more: Partial<NewKey> = {}): NewKey {
      return {
        organization: acme.id,
        createdBy: owner.person,
        name: 'laptop',
        digest: randomUUID(),
        hint: 'wxyz',
        ...more,
      }
    }

    async function isUsable(digest: string): Promise<boolean> {
      return (await store.accessKeys()).some((key) => key.digest === digest)
    }

    async function enrol(device: string): Promise<string> {
      const digest = randomUUID()
      await store.createEnrolment({ organization: acme.id, digest, expiresAt: LATER })
      const made = await store.redeemEnrolment({ digest, name: device, credentialDigest: randomUUID(), at: NOW })
      return made!.id
    }

    /** Names of the revisions that `change` moves. */
    async function moved(change: () => Promise<unknown>): Promise<string[]> {
      const before = await store.revisions()
      await change()
      const after = await store.revisions()
      return (['keys', 'models', 'devices'] as const).filter((name) => after[name] > before[name])
    }

    describe('organizations and members', () => {
      it('[T3] makes an organization with its owner, also when the name is taken', async () => {
        const second = await store.createOrganization({ name: 'Acme' })
        expect(second.id).not.toBe(acme.id)
        const ids = (await store.listOrganizations()).map(({ id }) => id)
        expect(ids).toEqual(expect.arrayContaining([acme.id, second.id]))
        expect(owner).toMatchObject({ organization: acme.id, name: 'Ann', role: 'owner' })
        expect(await store.listMembers(second.id)).toEqual([])
      })

      it('[T4] knows a person by the address in any case, in several organizations', async () => {
        const email = `${randomUUID()}@People.test`
        const other = await store.createOrganization({ name: 'Other' })
        const first = await store.addMember({ organization: acme.id, email, name: 'Bo', role: 'member' })
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
        expect(await store.listMembers(other.id)).toEqual([{ ...second, joinedAt: expect.any(Date), activeKeys: 0 }])
      })

      it('[T4] gives a member who is added again the new role', async () => {
        await store.addMember({ organization: acme.id, email: owner.email, name: 'Ann', role: 'admin' })
        expect(await store.listMembers(acme.id)).toEqual([{ ...owner, role: 'admin' }])
      })

      it('[T4] says whether there was a member to remove', async () => {
        expect(await store.removeMember({ organization: acme.id, person: owner.person })).toBe('done')
        expect(await store.removeMember({ organization: acme.id, person: owner.person })).toBe('unknown')
      })
    })

    describe('keys', () => {
      it('[T5] keeps the digest for access and never lists it', async () => {
        const input = newKey({ expiresAt: LATER })
        const key = await store.createKey(input)
        const { digest, ...shown } = input
        expect(key).toEqual({ ...shown, id: key.id, createdByName: 'Ann', createdAt: expect.any(Date), limits: {} })
        expect(await store.listKeys(acme.id)).toEqual([key])
        const access = (await store.accessKeys()).find((one) => one.id === key.id)
        expect(access).toEqual({ id: key.id, organization: acme.id, digest, expiresAt: LATER })
      })

      it('[T5] refuses a second key with the same digest', async () => {
        const input = newKey()
        await store.createKey(input)
        await expect(store.createKey(input)).rejects.toMatchObject({ name: 'StoreError', code: 'conflict' })
      })

      it('[T6] makes no key for somebody who is not a member', async () => {
        await expect(store.createKey(newKey({ createdBy: randomUUID() }))).rejects.toMatchObject({ code: 'unknown' })
        expect(await store.listKeys(acme.id)).toEqual([])
      })

      it('[T6] refuses a revoked key and still lists it', async () => {
        const input = newKey()
        const { id } = await store.createKey(input)
        expect(await store.revokeKey({ organization: acme.id, key: id })).toBe(true)
        expect(await store.revokeKey({ organization: acme.id, key: id })).toBe(false)
        expect(await isUsable(input.digest)).toBe(false)
        expect((await store.listKeys(acme.id))[0]).toMatchObject({ id, revokedAt: expect.any(Date) })
      })

      it('[T7] kills the keys of a member who leaves, also when the member comes back', async () => {
        const kept = newKey()
        await store.createKey(kept)
        const guest = await store.addMember({
          organization: acme.id,
          email: `${randomUUID()}@x.test`,
          name: 'G',
          role: 'member',
        })
        const lost = newKey({ createdBy: guest.person })
        await store.createKey(lost)
        await store.removeMember({ organization: acme.id, person: guest.person })
        expect([await isUsable(lost.digest), await isUsable(kept.digest)]).toEqual([false, true])
        await store.addMember({ organization: acme.id, email: guest.email, name: 'G', role: 'member' })
        expect(await isUsable(lost.digest)).toBe(false)
      })

      it('[T7] keeps the keys a person made elsewhere', async () => {
        const other = await store.createOrganization({ name: 'Other', owner: { email: owner.email, name: 'Ann' } })
        const input = newKey({ organization: other.id })
        await store.createKey(input)
        await store.removeMember({ organization: acme.id, person: owner.person })
        expect(await isUsable(input.digest)).toBe(true)
      })

      it('[T7] never leaves a usable key behind when a member leaves at the same moment', async () => {
        for (let round = 0; round < 5; round++) {
          const guest = await store.addMember({
            organization: acme.id,
            email: `${randomUUID()}@x.test`,
            name: 'G',
            role: 'member',
          })
          const input = newKey({ createdBy: guest.person })
          await Promise.allSettled([
            store.createKey(input),
            store.removeMember({ organization: acme.id, person: guest.person }),
          ])
          expect(await isUsable(input.digest)).toBe(false)
        }
      })

      it('[T8] remembers the latest use of each key of a batch', async () => {
        const [one, two] = [await store.createKey(newKey()), await store.createKey(newKey())]
        await store.touchKeys([
          { key: one.id, at: LATER },
          { key: one.id, at: NOW },
          { key: randomUUID(), at: NOW },
        ])
        await store.touchKeys([{ key: one.id, at: NOW }])
        await store.touchKeys([])
        const used = new Map((await store.listKeys(acme.id)).map((key) => [key.id, key.lastUsedAt]))
        expect([used.get(one.id), used.get(two.id)]).toEqual([LATER, undefined])
      })
    })

    describe('models', () => {
      const name = 'qwen3-8b'

      it('[T9] enables, disables and removes by name', async () => {
        const model = await store.enableModel({ organization: acme.id, name, ownedBy: 'acme' })
        expect(model).toEqual({
          organization: acme.id,
          name,
          state: 'enabled',
          ownedBy: 'acme',
          createdAt: expect.any(Date),
        })
        expect(await store.disableModel({ organization: acme.id, name })).toBe(true)
        expect(await store.listModels(acme.id)).toEqual([{ ...model, state: 'disabled' }])
        expect(await store.removeModel({ organization: acme.id, name })).toBe(true)
        expect(await store.listModels(acme.id)).toEqual([])
      })

      it('[T9] keeps a removed model as a tombstone until it is enabled again', async () => {
        const model = await store.enableModel({ organization: acme.id, name, ownedBy: 'acme' })
        await store.removeModel({ organization: acme.id, name })
        expect(await store.accessModels()).toContainEqual({ ...model, state: 'removed' })
        expect(await store.disableModel({ organization: acme.id, name })).toBe(false)
        expect(await store.removeModel({ organization: acme.id, name })).toBe(false)
        expect(await store.enableModel({ organization: acme.id, name })).toEqual(model)
      })

      it('[T9] knows nothing of a model that was never enabled', async () => {
        expect(await store.disableModel({ organization: acme.id, name })).toBe(false)
        expect(await store.removeModel({ organization: acme.id, name })).toBe(false)
        await expect(store.enableModel({ organization: randomUUID(), name })).rejects.toMatchObject({ code: 'unknown' })
      })
    })

    describe('devices', () => {
      it('[T10] makes a device for a token and keeps only digests', async () => {
        const [digest, credentialDigest] = [randomUUID(), randomUUID()]
        await store.createEnrolment({ organization: acme.id, digest, expiresAt: LATER })
        const device = await store.redeemEnrolment({ digest, name: 'studio', credentialDigest, at: NOW })
        expect(device).toEqual({
          id: device!.id,
          organization: acme.id,
          name: 'studio',
          isPaused: false,
          createdAt: expect.any(Date),
        })
        expect(await store.listDevices(acme.id)).toEqual([device])
        const access = { id: device!.id, organization: acme.id, name: 'studio', credentialDigest, isPaused: false }
        expect(await store.accessDevices()).toContainEqual(access)
      })

      it('[T10] redeems no token twice, none too late, and none it never gave out', async () => {
        const digest = randomUUID()
        await store.createEnrolment({ organization: acme.id, digest, expiresAt: LATER })
        const redeem = (token: string, at: Date) =>
          store.redeemEnrolment({ digest: token, name: 'd', credentialDigest: randomUUID(), at })
        expect(await redeem(digest, LATER)).toBeUndefined()
        expect(await redeem(digest, NOW)).toBeDefined()
        expect(await redeem(digest, NOW)).toBeUndefined()
        expect(await redeem(randomUUID(), NOW)).toBeUndefined()
      })

      it('[T10] burns a token once when it is redeemed by many at once', async () => {
        const digest = randomUUID()
        await store.createEnrolment({ organization: acme.id, digest, expiresAt: LATER })
        const redeemed = await Promise.all(
          Array.from({ length: 5 }, (_, number) =>
            store.redeemEnrolment({ digest, name: `d${number}`, credentialDigest: randomUUID(), at: NOW }),
          ),
        )
        expect(redeemed.filter((device) => device !== undefined)).toHaveLength(1)
        expect(await store.listDevices(acme.id)).toHaveLength(1)
      })

      it('[T10] keeps a token for another try when making the device fails', async () => {
        const [digest, credentialDigest] = [randomUUID(), randomUUID()]
        await store.createEnrolment({ organization: acme.id, digest, expiresAt: LATER })
        const taken = await enrolWith(credentialDigest)
        await expect(store.redeemEnrolment({ digest, name: 'd', credentialDigest, at: NOW })).rejects.toMatchObject({
          code: 'conflict',
        })
        const device = await store.redeemEnrolment({ digest, name: 'd', credentialDigest: randomUUID(), at: NOW })
        expect(device!.id).not.toBe(taken)

        async function enrolWith(credentialDigest: string): Promise<string> {
          const other = randomUUID()
          await store.createEnrolment({ organization: acme.id, digest: other, expiresAt: LATER })
          return (await store.redeemEnrolment({ digest: other, name: 'e', credentialDigest, at: NOW }))!.id
        }
      })

      it('[T11] remembers when a device was seen, and forgets a removed one', async () => {
        const device = await enrol('studio')
        await store.deviceSeen({ device, app: '1.2.0', at: NOW })
        expect((await store.listDevices(acme.id))[0]).toMatchObject({ id: device, app: '1.2.0', lastSeenAt: NOW })
        expect(await store.removeDevice({ organization: acme.id, device })).toBe(true)
        expect(await store.removeDevice({ organization: acme.id, device })).toBe(false)
        expect((await store.accessDevices()).some(({ id }) => id === device)).toBe(false)
      })
    })

    describe('usage', () => {
      function row(more: Partial<UsageRow> = {}): UsageRow {
        const counters = { requests: 1, errors: 0, promptTokens: 10, completionTokens: 5, waitMs: 7 }
        return { hour: HOUR, organization: acme.id, key: 'k', model: 'm', device: 'd', ...counters, ...more }
      }
      const list = () => store.listUsage({ organization: acme.id, from: HOUR, to: LATER })

      it('[T12] adds up rows of one hour, key, model and device, within a batch and between batches', async () => {
        await store.addUsage([row(), row({ errors: 1 }), row({ device: '' })])
        await store.addUsage([row({ waitMs: 1, promptTokens: 3_000_000_000 })])
        await store.addUsage([])
        expect(await list()).toEqual([
          row({ device: '' }),
          row({ requests: 3, errors: 1, promptTokens: 3_000_000_020, completionTokens: 15, waitMs: 15 }),
        ])
      })

      it('[T12] loses no count when batches arrive at once in any order', async () => {
        const batch = Array.from({ length: 50 }, (_, number) => row({ key: `k${number}` }))
        await Promise.all([store.addUsage(batch), store.addUsage(batch.toReversed()), store.addUsage(batch)])
        const rows = await list()
        expect(rows).toHaveLength(50)
        expect(rows.every(({ requests }) => requests === 3)).toBe(true)
      })

      it('[T12] takes a batch of any size', async () => {
        await store.addUsage(Array.from({ length: 8_000 }, (_, number) => row({ model: `m${number % 4_000}` })))
        const rows = await list()
        expect(rows).toHaveLength(4_000)
        expect(rows.every(({ requests }) => requests === 2)).toBe(true)
      })

      it('[T12] lists from the first hour up to, not including, the last', async () => {
        await store.addUsage([row({ hour: HOUR }), row({ hour: NOW }), row({ hour: LATER })])
        expect((await list()).map(({ hour }) => hour)).toEqual([HOUR, NOW])
      })
    })

    describe('revisions', () => {
      it('[T13] move with every change of what they name', async () => {
        const device = await enrol('studio')
        const { id } = await store.createKey(newKey())
        const model = { organization: acme.id, name: 'm' }
        expect(await moved(() => store.createKey(newKey()))).toEqual(['keys'])
        expect(await moved(() => store.revokeKey({ organization: acme.id, key: id }))).toEqual(['keys'])
        expect(await moved(() => store.enableModel(model))).toEqual(['models'])
        expect(await moved(() => store.disableModel(model))).toEqual(['models'])
        expect(await moved(() => store.removeModel(model))).toEqual(['models'])
        expect(await moved(() => store.enableModel(model))).toEqual(['models'])
        expect(await moved(() => enrol('laptop'))).toEqual(['devices'])
        expect(await moved(() => store.removeDevice({ organization: acme.id, device }))).toEqual(['devices'])
        expect(await moved(() => store.removeMember({ organization: acme.id, person: owner.person }))).toEqual(['keys'])
        expect(await moved(() => store.createOrganization({ name: 'New' }))).toEqual(['keys'])
      })

      it('[T13] stay when nothing about access changes', async () => {
        const device = await enrol('studio')
        const input = newKey()
        const { id } = await store.createKey(input)
        const model = { organization: acme.id, name: 'm' }
        await store.enableModel(model)
        expect(await moved(() => store.touchKeys([{ key: id, at: NOW }]))).toEqual([])
        expect(await moved(() => store.deviceSeen({ device, app: '1.0.0', at: NOW }))).toEqual([])
        expect(await moved(() => store.enableModel(model))).toEqual([])
        expect(await moved(() => store.disableModel({ ...model, name: 'unknown' }))).toEqual([])
        expect(await moved(() => store.createKey(input).catch(() => undefined))).toEqual([])
        expect(
          await moved(() => store.createEnrolment({ organization: acme.id, digest: randomUUID(), expiresAt: LATER })),
        ).toEqual([])
        expect(await moved(() => store.listKeys(acme.id))).toEqual([])
      })
    })

    describe('organizations among themselves', () => {
      it('[T14] see, change and remove only what is their own', async () => {
        const other = await store.createOrganization({ name: 'Other' })
        const key = await store.createKey(newKey())
        const device = await enrol('studio')
        await store.enableModel({ organization: acme.id, name: 'm' })
        await store.addUsage([
          {
            hour: HOUR,
            organization: acme.id,
            key: key.id,
            model: 'm',
            device,
            requests: 1,
            errors: 0,
            promptTokens: 1,
            completionTokens: 1,
            waitMs: 1,
          },
        ])
        const refused = await Promise.all([
          store.revokeKey({ organization: other.id, key: key.id }),
          store.disableModel({ organization: other.id, name: 'm' }),
          store.removeModel({ organization: other.id, name: 'm' }),
          store.removeDevice({ organization: other.id, device }),
          store.removeMember({ organization: other.id, person: owner.person }),
        ])
        expect(refused).toEqual([false, false, false, false, 'unknown'])
        await expect(store.createKey(newKey({ organization: other.id }))).rejects.toMatchObject({ code: 'unknown' })
        const seen = await Promise.all([
          store.listKeys(other.id),
          store.listModels(other.id),
          store.listDevices(other.id),
          store.listMembers(other.id),
          store.listUsage({ organization: other.id, from: HOUR, to: LATER }),
        ])
        expect(seen).toEqual([[], [], [], [], []])
        expect(await store.listKeys(acme.id)).toHaveLength(1)
        expect(await store.listDevices(acme.id)).toHaveLength(1)
      })

      it('[T14] take text for text, whatever it says', async () => {
        const name = `'; drop table api_key; -- \\ "$1" \u{1F525}`
        await store.createKey(newKey({ name }))
        expect((await store.listKeys(acme.id))[0]?.name).toBe(name)
        expect(await store.listKeys(`' or '1'='1`)).toEqual([])
      })
    })
  })
}
