import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { store, world } from '../../testing/store-world.ts'

describe('models', () => {
  const name = 'qwen3-8b'

  it('stay known as removed until they are enabled again', async () => {
    const model = await store.enableModel({ ...world.scope, name, ownedBy: 'acme' })
    await store.removeModel({ ...world.scope, name })
    expect(await store.accessModels()).toContainEqual({ ...model, state: 'removed' })
    expect(await store.enableModel({ ...world.scope, name })).toEqual(model)
  })

  it('cannot be changed if they were removed or never enabled', async () => {
    const unchanged = async () => {
      const scope = { ...world.scope, name }
      const defaults = { topP: 1 }
      const changed = [await store.disableModel(scope), await store.removeModel(scope), await store.modelArrived(scope)]
      expect([...changed, await store.setModelDefaults({ ...scope, defaults })]).toEqual([false, false, false, false])
    }
    await unchanged()
    await store.enableModel({ ...world.scope, name })
    await store.removeModel({ ...world.scope, name })
    await unchanged()
    await expect(store.enableModel({ organization: randomUUID(), name })).rejects.toMatchObject({ code: 'unknown' })
  })

  const added = { name, device: 'studio', source: 'qwen3:8b' }

  it('that are being added become enabled when they arrive, and only then', async () => {
    const { state } = await store.addModel({ ...world.scope, ...added })
    expect(state).toBe('adding')
    expect(await store.accessModels()).toContainEqual(expect.objectContaining({ name, state: 'adding' }))
    expect(await store.modelArrived({ ...world.scope, name })).toBe(true)
    expect(await store.modelArrived({ ...world.scope, name })).toBe(false)
    expect(await store.listModels(world.acme.id)).toMatchObject([{ name, state: 'enabled' }])
    expect((await store.addModel({ ...world.scope, ...added })).state).toBe('enabled')
  })

  it('that were disabled stay so when they are added, and those that were removed are enabled', async () => {
    await store.enableModel({ ...world.scope, name })
    await store.disableModel({ ...world.scope, name })
    expect((await store.addModel({ ...world.scope, ...added })).state).toBe('disabled')
    expect(await store.modelArrived({ ...world.scope, name })).toBe(false)
    await store.removeModel({ ...world.scope, name })
    expect((await store.addModel({ ...world.scope, ...added })).state).toBe('enabled')
  })

  it('that are being added can be forgotten, enabled ones cannot', async () => {
    await store.addModel({ ...world.scope, ...added })
    expect(await store.forgetAddedModel({ ...world.scope, name })).toBe(true)
    expect(await store.listModels(world.acme.id)).toEqual([])
    await store.enableModel({ ...world.scope, name })
    expect(await store.forgetAddedModel({ ...world.scope, name })).toBe(false)
  })

  it('keep the defaults that the organization set until they are replaced', async () => {
    const model = await store.enableModel({ ...world.scope, name })
    const defaults = { temperature: 0.2, topP: 0.9, systemMessage: 'Be brief.', chatTemplate: '{{ messages }}' }
    expect(await store.setModelDefaults({ ...world.scope, name, defaults })).toBe(true)
    expect(await store.listModels(world.acme.id)).toEqual([{ ...model, defaults }])
    await store.disableModel({ ...world.scope, name })
    await store.enableModel({ ...world.scope, name })
    expect(await store.accessModels()).toContainEqual({ ...model, defaults })
    expect(await store.setModelDefaults({ ...world.scope, name, defaults: {} })).toBe(true)
    expect(await store.listModels(world.acme.id)).toEqual([model])
  })

  it('raise their revision when their defaults change, and record them in the audit log, long texts by their length', async () => {
    await store.enableModel({ ...world.scope, name })
    const { models: after } = await store.revisions()
    const defaults = { temperature: 0.2, systemMessage: 'Be brief.' }
    await store.setModelDefaults({ ...world.scope, name, defaults })
    const { models: upTo } = await store.revisions()
    expect(await store.changedModels({ after, upTo })).toMatchObject([{ ...world.scope, id: name, now: { defaults } }])
    expect((await world.audit(1))[0]).toMatchObject({
      action: 'model.defaults',
      object: { kind: 'model', name },
      before: {},
      after: { temperature: 0.2, systemMessage: '9 characters' },
    })
    await store.setModelDefaults({ ...world.scope, name, defaults })
    expect((await store.revisions()).models).toBe(upTo)
  })
})
