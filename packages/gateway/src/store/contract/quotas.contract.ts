import { describe, expect, it } from 'vitest'
import { store, world } from '../../testing/store-world.ts'

const MOST = 3

const quota = { perMember: MOST, perOrganization: 100 }
const enable = (index: number) => store.enableModel({ ...world.place, name: `m${index}`, most: MOST })

describe('a quota', () => {
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
