import { describe, expect, it } from 'vitest'
import type { NewList, NewLists } from '../sealing.ts'
import { store, world } from '../../testing/store-world.ts'

describe('the seal of an organization', () => {
  const list = (number: number): NewList => ({ number, text: `list ${number}`, key: 'k', signature: 's', entries: 3 })
  const put = (lists: Partial<NewLists>) =>
    store.putSignedLists({ ...world.scope, seal: 'hs-a', apiKey: 'gone', address: '192.0.2.1', ...lists })
  const seal = (change: { mode?: 'off' | 'optional' | 'required'; seal?: string }) =>
    store.changeSealing({ ...world.scope, ...change, by: world.actor(world.owner) })

  it('is off at first, and has to be there before requests can be sealed', async () => {
    expect(await store.readSealing(world.acme.id)).toEqual({ mode: 'off' })
    expect(await seal({ mode: 'required' })).toBe('no-seal')
    expect(await seal({ mode: 'required', seal: 'hs-a' })).toBe('changed')
    expect(await store.readSealing(world.acme.id)).toEqual({ mode: 'required', seal: 'hs-a' })
    expect(await store.readSealing('nowhere')).toBeUndefined()
    expect(await store.changeSealing({ organization: 'nowhere', mode: 'off' })).toBe('unknown')
  })

  it('reaches every key when its mode changes', async () => {
    const { id } = await store.createKey(world.newKey())
    const key = async () => (await store.accessKeys()).find((one) => one.id === id)
    await seal({ seal: 'hs-a' })
    expect(await world.increased(() => seal({ mode: 'optional' }))).toEqual(['keys'])
    expect(await key()).toMatchObject({ sealing: 'optional' })
    expect(await world.increased(() => seal({ mode: 'optional' }))).toEqual([])
    await seal({ mode: 'off' })
    expect(await key()).not.toHaveProperty('sealing')
  })

  it('is in the audit log, as is each list', async () => {
    const key = await store.createKey(world.newKey())
    await seal({ mode: 'optional', seal: 'hs-a' })
    await seal({ mode: 'optional' })
    await put({ apiKey: key.id, administrators: list(1), devices: list(1) })
    const by = { kind: 'person', id: world.owner.person, name: 'Ann', address: '192.0.2.1' }
    expect(await world.audit(3)).toMatchObject([
      { actor: by, action: 'organization.sign', after: { list: 'devices', number: 1, entries: 3 } },
      { actor: by, action: 'organization.sign', after: { list: 'administrators', number: 1, entries: 3 } },
      { action: 'organization.seal', before: { sealing: 'off' }, after: { sealing: 'optional', seal: 'hs-a' } },
    ])
  })

  it('keeps its lists as they were signed', async () => {
    await seal({ seal: 'hs-a' })
    expect(await put({ devices: list(1) })).toBe('put')
    expect(await put({ administrators: list(1), devices: list(2) })).toBe('put')
    const kept = { key: 'k', signature: 's', putAt: expect.any(Date) }
    expect(await store.readSealing(world.acme.id)).toEqual({
      mode: 'off',
      seal: 'hs-a',
      administrators: { number: 1, text: 'list 1', ...kept },
      devices: { number: 2, text: 'list 2', ...kept },
    })
    const numbers = { mode: 'off', seal: 'hs-a', administrators: 1, devices: 2 }
    expect(await store.readListNumbers(world.acme.id)).toEqual(numbers)
    expect(await store.readListNumbers('nowhere')).toBeUndefined()
  })

  it('takes only the list with the next number', async () => {
    await seal({ seal: 'hs-a' })
    expect(await put({ devices: list(2) })).toBe('conflict')
    await put({ devices: list(1) })
    for (const number of [0, 1, 3]) expect(await put({ devices: list(number) })).toBe('conflict')
    expect(await put({ administrators: list(1), devices: list(1) })).toBe('conflict')
    const racing = await Promise.all(Array.from({ length: 4 }, () => put({ devices: list(2) })))
    expect(racing.toSorted()).toEqual(['conflict', 'conflict', 'conflict', 'put'])
    expect(await store.readListNumbers(world.acme.id)).toMatchObject({ administrators: 0, devices: 2 })
  })

  it('forgets lists that another seal has signed', async () => {
    await seal({ seal: 'hs-a' })
    await put({ administrators: list(1), devices: list(1) })
    await seal({ seal: 'hs-b' })
    expect(await store.readSealing(world.acme.id)).toEqual({ mode: 'off', seal: 'hs-b' })
    expect(await put({ devices: list(2) })).toBe('conflict')
    expect(await put({ seal: 'hs-b', devices: list(1) })).toBe('put')
    expect(await put({ organization: 'nowhere', devices: list(1) })).toBe('conflict')
  })
})
