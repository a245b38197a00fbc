import { describe, expect, it } from 'vitest'
import { HOUR, LATER, store, world } from '../../testing/store-world.ts'

describe('organizations side by side', () => {
  it('see, change and remove only their own data', async () => {
    const other = await store.createOrganization({ name: 'Other' })
    const key = await store.createKey(world.newKey())
    const device = await world.enrol('studio')
    await store.enableModel({ ...world.scope, name: 'm' })
    await store.addUsage([world.usage({ key: key.id, device })])
    const refused = await Promise.all([
      store.revokeKey({ organization: other.id, key: key.id }),
      store.disableModel({ organization: other.id, name: 'm' }),
      store.removeModel({ organization: other.id, name: 'm' }),
      store.removeDevice({ organization: other.id, device }),
      store.removeMember({ organization: other.id, person: world.owner.person }),
    ])
    expect(refused).toEqual([false, false, false, false, 'unknown'])
    await expect(store.createKey(world.newKey({ organization: other.id }))).rejects.toMatchObject({ code: 'unknown' })
    const seen = await Promise.all([
      store.listKeys(other.id),
      store.listModels(other.id),
      store.listDevices(other.id),
      store.listMembers(other.id),
      store.listUsage({ organization: other.id, from: HOUR, to: LATER }),
    ])
    expect(seen).toEqual([[], [], [], [], []])
    expect(await store.listKeys(world.acme.id)).toHaveLength(1)
    expect(await store.listDevices(world.acme.id)).toHaveLength(1)
  })

  it('store names exactly as they are, whatever they contain', async () => {
    const name = `'; drop table api_key; -- \\ "$1" \u{1F525}`
    await store.createKey(world.newKey({ name }))
    expect((await store.listKeys(world.acme.id))[0]?.name).toBe(name)
    expect(await store.listKeys(`' or '1'='1`)).toEqual([])
  })
})
