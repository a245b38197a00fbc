import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { LATER, NOW, store, world } from '../../testing/store-world.ts'

describe('devices', () => {
  it('are created from a token, show who made it, and only digests are stored', async () => {
    const [digest, credentialDigest] = [await world.token({ createdBy: world.owner.person }), randomUUID()]
    const device = await store.redeemEnrolment({ digest, name: 'studio', credentialDigest, at: NOW })
    const shown = { id: device!.id, ...world.scope, name: 'studio', isPaused: false }
    expect(device).toEqual({ ...shown, createdAt: expect.any(Date) })
    expect(await store.listDevices(world.acme.id)).toEqual([{ ...device, addedByName: 'Ann' }])
    expect(await store.accessDevices()).toContainEqual({ ...shown, credentialDigest })
  })

  it('are not created from a used, expired or unknown token', async () => {
    const digest = await world.token()
    const redeem = (token: string, at: Date) =>
      store.redeemEnrolment({ digest: token, name: 'd', credentialDigest: randomUUID(), at })
    expect(await redeem(digest, LATER)).toBeUndefined()
    expect(await redeem(digest, NOW)).toBeDefined()
    expect(await redeem(digest, NOW)).toBeUndefined()
    expect(await redeem(randomUUID(), NOW)).toBeUndefined()
  })

  it('are created once when many use the same token at the same moment', async () => {
    const digest = await world.token()
    const redeemed = await Promise.all(
      Array.from({ length: 5 }, (_, number) =>
        store.redeemEnrolment({ digest, name: `d${number}`, credentialDigest: randomUUID(), at: NOW }),
      ),
    )
    expect(redeemed.filter((device) => device !== undefined)).toHaveLength(1)
    expect(await store.listDevices(world.acme.id)).toHaveLength(1)
  })

  it('can use their token again if creating the device failed', async () => {
    const [digest, credentialDigest] = [await world.token(), randomUUID()]
    const taken = await world.enrol('e', credentialDigest)
    await expect(store.redeemEnrolment({ digest, name: 'd', credentialDigest, at: NOW })).rejects.toMatchObject({
      code: 'conflict',
    })
    const device = await store.redeemEnrolment({ digest, name: 'd', credentialDigest: randomUUID(), at: NOW })
    expect(device!.id).not.toBe(taken)
  })

  it('join until their organization has as many as allowed, and leave their token unused if there is no room', async () => {
    const digests = await Promise.all(Array.from({ length: 5 }, () => world.token()))
    const join = (digest: string) =>
      store.redeemEnrolment({ digest, name: 'd', credentialDigest: randomUUID(), at: NOW, most: 2 })
    const joined = await Promise.allSettled(digests.map(join))
    expect(joined.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
    const [rejected = ''] = digests.filter((_, index) => joined[index]?.status === 'rejected')
    await expect(join(rejected)).rejects.toMatchObject({
      code: 'limit',
      message: expect.stringMatching(/2 of 2 allowed devices\. Remove devices .*DEVICES_PER_ORGANIZATION/),
    })
    const [device] = await store.listDevices(world.acme.id)
    await store.removeDevice({ ...world.scope, device: device!.id })
    expect(await join(rejected)).toMatchObject(world.scope)
  })

  it('get no further tokens once there are as many devices or unused tokens as allowed', async () => {
    const create = (expiresAt: Date) =>
      store.createEnrolment({ ...world.scope, digest: randomUUID(), expiresAt, most: 2 })
    await create(new Date(0))
    for (const _ of [1, 2]) await create(LATER)
    await expect(create(LATER)).rejects.toMatchObject({ code: 'limit', message: expect.stringContaining('Revoke') })
  })

  it('are seen together, and an older sighting changes nothing', async () => {
    const [one, two] = [await world.enrol('one'), await world.enrol('two')]
    await store.devicesSeen([
      { device: one, app: '1.0.0', at: NOW },
      { device: two, app: '2.0.0', at: NOW },
      { device: randomUUID(), app: '3.0.0', at: NOW },
    ])
    await store.devicesSeen([
      { device: one, at: LATER },
      { device: two, app: '1.0.0', at: new Date(NOW.getTime() - 1) },
    ])
    await store.devicesSeen([])
    expect(await store.listDevices(world.acme.id)).toMatchObject([
      { id: one, app: '1.0.0', lastSeenAt: LATER },
      { id: two, app: '2.0.0', lastSeenAt: NOW },
    ])
  })

  it('describe their machine when they join and when they connect', async () => {
    const digest = await world.token()
    const machine = { model: 'ThinkPad X1', memoryBytes: 16 }
    const joining = { name: 'd', credentialDigest: randomUUID(), app: '1.0.0', machine, address: '192.0.2.1' }
    const device = await store.redeemEnrolment({ digest, at: NOW, ...joining })
    expect(device).toMatchObject({ app: '1.0.0', machine, address: '192.0.2.1' })
    const later = { system: 'Ubuntu 24.04' }
    await store.devicesSeen([{ device: device!.id, machine: later, address: '192.0.2.2', at: NOW }])
    await store.devicesSeen([{ device: device!.id, at: LATER }])
    expect(await store.listDevices(world.acme.id)).toMatchObject([
      { machine: later, address: '192.0.2.2', app: '1.0.0' },
    ])
  })

  it('get a number if another device of the organization has their name', async () => {
    for (const name of ['vm', 'VM', 'vm', 'vm 2']) await world.enrol(name)
    const names = (await store.listDevices(world.acme.id)).map(({ name }) => name)
    expect(names.toSorted()).toEqual(['VM 2', 'vm', 'vm 2 2', 'vm 3'])
  })

  it('get different names when they join at the same moment', async () => {
    await Promise.all(Array.from({ length: 5 }, () => world.enrol('vm')))
    const names = (await store.listDevices(world.acme.id)).map(({ name }) => name)
    expect(names).toEqual(['vm', 'vm 2', 'vm 3', 'vm 4', 'vm 5'])
  })

  it('cannot be renamed to the name of another device', async () => {
    const [one] = [await world.enrol('one'), await world.enrol('two')]
    const rename = (name: string) => store.changeDevice({ ...world.scope, device: one, name })
    await expect(rename('Two')).rejects.toMatchObject({ code: 'conflict' })
    expect(await rename('One')).toBe(true)
  })
})
