import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { NewDeviceCode } from '../devices/device-codes.ts'
import { LATER, NOW, store, world } from '../../testing/store-world.ts'

function after(ms: number): Date {
  return new Date(NOW.getTime() + ms)
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

  function poll({ digest }: NewDeviceCode, at: Date, most = 1_000) {
    return store.pollDeviceCode({ digest, credentialDigest: randomUUID(), at, most })
  }

  function decide({ selector, userCodeDigest }: NewDeviceCode, decision: 'approve' | 'deny', at = NOW, most = 1_000) {
    return store.decideDeviceCode({
      selector,
      userCodeDigest,
      at,
      ...world.scope,
      decision,
      most,
      by: world.actor(world.owner),
    })
  }

  it('describe the device, and let it join once after approval', async () => {
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
      device: { ...world.scope, name: 'studio' },
    })
    expect(await poll(asking, after(12_000))).toEqual({ kind: 'expired' })
    expect(await store.listDevices(world.acme.id)).toMatchObject([{ name: 'studio', addedByName: 'Ann' }])
  })

  it('create one device when two polls arrive at the same moment', async () => {
    const asking = await ask()
    await decide(asking, 'approve')
    const kinds = (await Promise.all([poll(asking, NOW), poll(asking, NOW)])).map(({ kind }) => kind)
    expect(kinds.toSorted()).toEqual(['approved', 'expired'])
    expect(await store.listDevices(world.acme.id)).toHaveLength(1)
  })

  it('reject a device that was denied or waited too long', async () => {
    const [denied, late] = [await ask(), await ask()]
    expect(await decide(denied, 'deny')).toBe(true)
    expect(await poll(denied, NOW)).toEqual({ kind: 'denied' })
    expect(await decide(late, 'approve', LATER)).toBe(false)
    expect(await poll(late, LATER)).toEqual({ kind: 'expired' })
    expect(await store.listDevices(world.acme.id)).toEqual([])
  })

  it('are not approved, and let no device join, beyond what the organization may have', async () => {
    const [first, second, third] = [await ask(), await ask(), await ask()]
    for (const asking of [first, second]) expect(await decide(asking, 'approve', NOW, 1)).toBe(true)
    expect(await poll(first, NOW, 1)).toMatchObject({ kind: 'approved' })
    await expect(poll(second, NOW, 1)).rejects.toMatchObject({ code: 'limit' })
    await expect(decide(third, 'approve', NOW, 1)).rejects.toMatchObject({ code: 'limit' })
    expect(await decide(third, 'deny', NOW, 1)).toBe(true)
    expect(await poll(second, after(6_000), 2)).toMatchObject({ kind: 'approved' })
  })

  it('make a device that polls too fast wait five seconds longer', async () => {
    const asking = await ask()
    await poll(asking, NOW)
    expect(await poll(asking, after(4_999))).toEqual({ kind: 'slow-down', intervalMs: 10_000 })
    expect(await poll(asking, after(14_000))).toEqual({ kind: 'slow-down', intervalMs: 15_000 })
    expect(await poll(asking, after(30_000))).toEqual({ kind: 'pending' })
  })

  it('stop working after five wrong attempts, however many there were at another code', async () => {
    const [asking, other] = [await ask(), await ask()]
    const guess = ({ selector }: NewDeviceCode) =>
      store.findDeviceCode({ selector, userCodeDigest: randomUUID(), at: NOW })
    for (let count = 0; count < 4; count++) expect(await guess(asking)).toBeUndefined()
    for (let count = 0; count < 9; count++) await guess(other)
    const { selector, userCodeDigest } = asking
    expect(await store.findDeviceCode({ selector, userCodeDigest, at: NOW })).toBeDefined()
    await guess(asking)
    expect(await decide(asking, 'approve')).toBe(false)
    expect(await poll(asking, NOW)).toEqual({ kind: 'denied' })
  })

  it('never match two waiting devices at once', async () => {
    const asking = await ask()
    const twin = { ...asking, digest: randomUUID(), userCodeDigest: randomUUID() }
    expect(await store.createDeviceCode(twin)).toBe(false)
    await decide(asking, 'deny')
    expect(await store.createDeviceCode(twin)).toBe(true)
  })
})
