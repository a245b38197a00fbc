import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { NewKey } from '../keys/keys.ts'
import { LATER, NOW, store, world } from '../../testing/store-world.ts'

interface Made {
  key: string
  input: NewKey
  model: { organization: string; name: string }
  device: string
}

describe('revisions', () => {
  it.each<[kind: string, change: string, (made: Made) => Promise<unknown>]>([
    ['keys', 'a new organization', () => store.createOrganization({ name: 'New' })],
    ['models', 'a removed model', ({ model }) => store.removeModel(model)],
    ['devices', 'a new device', () => world.enrol('laptop')],
    ['none', 'the use of a key', ({ key }) => store.touchKeys([{ key, at: NOW }])],
    ['none', 'a sighting of a device', ({ device }) => store.devicesSeen([{ device, app: '1.0.0', at: NOW }])],
    ['none', 'a model that was enabled', ({ model }) => store.enableModel(model)],
    ['none', 'an unknown model', () => store.disableModel({ ...world.scope, name: 'unknown' })],
    ['none', 'a key that exists', ({ input }) => store.createKey(input).catch(() => undefined)],
    ['none', 'a token', () => store.createEnrolment({ ...world.scope, digest: randomUUID(), expiresAt: LATER })],
    ['none', 'a question', () => store.listKeys(world.acme.id)],
  ])('of %s increase with %s', async (kind, _, change) => {
    const input = world.newKey()
    const { id: key } = await store.createKey(input)
    const model = { ...world.scope, name: 'm' }
    await store.enableModel(model)
    const made = { key, input, model, device: await world.enrol('studio') }
    expect((await world.increased(() => change(made))).join() || 'none').toBe(kind)
  })

  it('are read before other queries that wait', async () => {
    await store.revisions()
    let finished = 0
    const others = Array.from({ length: 150 }, async () => {
      await store.listMembers(world.acme.id)
      finished += 1
    })
    await store.revisions()
    expect(finished).toBeLessThan(others.length)
    await Promise.all(others)
  })
})
