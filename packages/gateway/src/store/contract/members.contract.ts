import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { store, world } from '../../testing/store-world.ts'

describe('organizations and members', () => {
  it('are created together, even if the name is taken', async () => {
    const second = await store.createOrganization({ name: 'Acme' })
    expect(second.id).not.toBe(world.acme.id)
    const ids = (await store.listOrganizations()).map(({ id }) => id)
    expect(ids).toEqual(expect.arrayContaining([world.acme.id, second.id]))
    expect(world.owner).toMatchObject({ ...world.place, name: 'Ann', role: 'owner' })
    expect(await store.listMembers(second.id)).toEqual([])
  })

  it('identify a person by email address in any case, across organizations', async () => {
    const email = `${randomUUID()}@People.test`
    const other = await store.createOrganization({ name: 'Other' })
    const first = await store.addMember({ ...world.place, email, name: 'Bo', role: 'member' })
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
    await store.addMember({ ...world.place, email: world.owner.email, name: 'Ann', role: 'admin' })
    expect(await store.listMembers(world.acme.id)).toEqual([{ ...world.owner, role: 'admin' }])
  })
})
