import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { LATER, store, world } from '../../testing/store-world.ts'

const MOST = 3
const ATTEMPTS = 8

const quota = { perMember: MOST, perOrganization: 100 }
const enable = (index: number) => store.enableModel({ ...world.place, name: `m${index}`, most: MOST })

describe('a quota', () => {
  it.each<[things: string, advice: RegExp, create: (index: number) => Promise<unknown>, there?: number]>([
    [
      'unused invitations',
      /Revoke.*INVITATIONS_PER_ORGANIZATION/,
      () =>
        store.createInvitation({
          ...world.place,
          role: 'member',
          digest: randomUUID(),
          expiresAt: LATER,
          most: MOST,
        }),
    ],
    ['models', /Remove.*MODELS_PER_ORGANIZATION/, enable],
    ['API keys', /Revoke.*KEYS_PER_MEMBER/, () => store.createKey({ ...world.newKey(), quota })],
    [
      'organizations',
      /Leave.*ORGANIZATIONS_PER_PERSON/,
      () => store.createOrganization({ name: 'More', owner: { person: world.owner.person }, mostOwned: MOST }),
      1,
    ],
  ])('[M45] of %s is never exceeded, not even at the same moment', async (things, advice, create, there = 0) => {
    const made = await Promise.allSettled(Array.from({ length: ATTEMPTS }, (_, index) => create(index)))
    const rejected = made.flatMap((one) => (one.status === 'rejected' ? [one.reason as Error] : []))
    expect(rejected).toHaveLength(ATTEMPTS - MOST + there)
    expect(rejected[0]).toMatchObject({ code: 'limit', message: expect.stringMatching(advice) })
    expect(rejected[0]?.message).toContain(`has 3 of 3 allowed ${things}. `)
  })

  it('of models also counts those that are added, and none that are there already', async () => {
    for (let index = 0; index < MOST; index++) await enable(index)
    const added = { name: 'another', device: 'studio', source: 'qwen3:8b', most: MOST }
    await expect(store.addModel({ ...world.place, ...added })).rejects.toMatchObject({ code: 'limit' })
    expect(await enable(0)).toMatchObject({ name: 'm0', state: 'enabled' })
  })

  it("[M45] of keys is each member's own, and a revoked key makes room", async () => {
    const { person: createdBy } = await world.add('member')
    const add = (input = world.newKey({ createdBy })) => store.createKey({ ...input, quota })
    const [first] = [await add(), await add(), await add()]
    await expect(add()).rejects.toMatchObject({ code: 'limit' })
    await add(world.newKey())
    await store.revokeKey({ ...world.place, key: first.id })
    await add()
  })
})
