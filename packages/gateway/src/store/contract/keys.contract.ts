import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { FAR_AWAY, LATER, LONG_AGO, NOW, store, world } from '../../testing/store-world.ts'

describe('keys', () => {
  it('keep their digest for checking access and never list it', async () => {
    const input = world.newKey({ expiresAt: FAR_AWAY })
    const key = await store.createKey(input)
    const { digest, ...shown } = input
    expect(key).toEqual({ ...shown, id: key.id, createdByName: 'Ann', createdAt: expect.any(Date), limits: {} })
    expect(await store.listKeys(world.acme.id)).toEqual([key])
    const access = (await store.accessKeys()).find((one) => one.id === key.id)
    expect(access).toEqual({ id: key.id, ...world.scope, digest, expiresAt: FAR_AWAY })
  })

  it('never have the same digest twice', async () => {
    const input = world.newKey()
    await store.createKey(input)
    await expect(store.createKey(input)).rejects.toMatchObject({ name: 'StoreError', code: 'conflict' })
  })

  it('cannot be created for someone who is not a member', async () => {
    await expect(store.createKey(world.newKey({ createdBy: randomUUID() }))).rejects.toMatchObject({
      code: 'unknown',
    })
    expect(await store.listKeys(world.acme.id)).toEqual([])
  })

  it('cannot be created beyond the quota of an organization, not even at the same moment', async () => {
    const quota = { perMember: 100, perOrganization: 5 }
    const { person: guest } = await world.add('member')
    await store.createKey(world.newKey({ expiresAt: LONG_AGO }))
    await store.createKey(world.newKey({ session: 's', expiresAt: FAR_AWAY }))
    const people = Array.from({ length: 4 }, () => [world.owner.person, guest]).flat()
    const made = await Promise.allSettled(
      people.map((createdBy) => store.createKey({ ...world.newKey({ createdBy }), quota })),
    )
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
    await expect(store.createKey({ ...world.newKey(), quota })).rejects.toThrow(/KEYS_PER_ORGANIZATION/)
  })

  it('of the playground end, oldest first, when a member has too many', async () => {
    const inputs = Array.from({ length: 12 }, (_, index) => world.newKey({ session: `s${index}`, expiresAt: FAR_AWAY }))
    for (const input of inputs) await store.createKey(input)
    const usable = await Promise.all(inputs.map(({ digest }) => world.isUsable(digest)))
    expect(usable).toEqual(inputs.map((_, index) => index >= 2))
  })

  it('of a member who leaves stop working, even if the member comes back', async () => {
    const kept = world.newKey()
    await store.createKey(kept)
    const guest = await world.add('member')
    const lost = world.newKey({ createdBy: guest.person })
    await store.createKey(lost)
    await store.removeMember({ ...world.scope, person: guest.person })
    expect([await world.isUsable(lost.digest), await world.isUsable(kept.digest)]).toEqual([false, true])
    await store.addMember({ ...world.scope, email: guest.email, name: 'G', role: 'member' })
    expect(await world.isUsable(lost.digest)).toBe(false)
  })

  it('that a person created in another organization keep working', async () => {
    const other = await store.createOrganization({ name: 'Other', owner: { email: world.owner.email, name: 'Ann' } })
    const input = world.newKey({ organization: other.id })
    await store.createKey(input)
    await store.removeMember({ ...world.scope, person: world.owner.person })
    expect(await world.isUsable(input.digest)).toBe(true)
  })

  it('created at the moment their creator leaves do not work', async () => {
    for (let round = 0; round < 5; round++) {
      const guest = await world.add('member')
      const input = world.newKey({ createdBy: guest.person })
      const [, removed] = await Promise.allSettled([
        store.createKey({ ...input, quota: { perMember: 10, perOrganization: 100 } }),
        store.removeMember({ ...world.scope, person: guest.person }),
      ])
      expect(removed.status).toBe('fulfilled')
      expect(await world.isUsable(input.digest)).toBe(false)
    }
  })

  it('remember their latest use', async () => {
    const [one, two] = [await store.createKey(world.newKey()), await store.createKey(world.newKey())]
    await store.touchKeys([
      { key: one.id, at: LATER },
      { key: one.id, at: NOW },
      { key: randomUUID(), at: NOW },
    ])
    await store.touchKeys([{ key: one.id, at: NOW }])
    await store.touchKeys([])
    const used = new Map((await store.listKeys(world.acme.id)).map((key) => [key.id, key.lastUsedAt]))
    expect([used.get(one.id), used.get(two.id)]).toEqual([LATER, undefined])
  })
})

const MOST = 3

const quota = { perMember: MOST, perOrganization: 100 }
const enable = (index: number) => store.enableModel({ ...world.scope, name: `m${index}`, most: MOST })

describe('a quota', () => {
  it('of models also counts those that are added, and none that are there already', async () => {
    for (let index = 0; index < MOST; index++) await enable(index)
    const added = { name: 'another', device: 'studio', source: 'qwen3:8b', most: MOST }
    await expect(store.addModel({ ...world.scope, ...added })).rejects.toMatchObject({ code: 'limit' })
    expect(await enable(0)).toMatchObject({ name: 'm0', state: 'enabled' })
  })

  it("of keys is each member's own, and a revoked key makes room", async () => {
    const { person: createdBy } = await world.add('member')
    const add = (input = world.newKey({ createdBy })) => store.createKey({ ...input, quota })
    const [first] = [await add(), await add(), await add()]
    await expect(add()).rejects.toMatchObject({ code: 'limit' })
    await add(world.newKey())
    await store.revokeKey({ ...world.scope, key: first.id })
    await add()
  })
})
