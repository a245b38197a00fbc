// What every store does about devices that join, and about devices that are managed.

import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Actor, Member, NewDeviceCode, Organization, Store } from '../store.ts'

const NOW = new Date('2026-11-15T10:00:00.000Z')
const LATER = new Date('2026-11-15T10:10:00.000Z')

function after(ms: number): Date {
  return new Date(NOW.getTime() + ms)
}

export function describeJoining(name: string, open: () => Promise<Store>): void {
  describe(`joining devices on ${name}`, () => {
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

    function by({ person, name }: Member): Actor {
      return { kind: 'person', id: person, name, address: '192.0.2.1' }
    }

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
  })
}
