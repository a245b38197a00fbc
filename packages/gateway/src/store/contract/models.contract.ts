import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Organization } from '../people/organization-rows.ts'
import type { Store } from '../store.ts'
import type { StoreWorld } from './store-world.ts'

export function describeModels(world: StoreWorld): void {
  describe('models', () => {
    let store: Store
    let acme: Organization
    beforeEach(() => {
      ;({ store, acme } = world)
    })

    const name = 'qwen3-8b'

    it('are enabled, disabled and removed by name', async () => {
      const model = await store.enableModel({ organization: acme.id, name, ownedBy: 'acme' })
      expect(model).toEqual({
        organization: acme.id,
        name,
        state: 'enabled',
        ownedBy: 'acme',
        createdAt: expect.any(Date),
      })
      expect(await store.disableModel({ organization: acme.id, name })).toBe(true)
      expect(await store.listModels(acme.id)).toEqual([{ ...model, state: 'disabled' }])
      expect(await store.removeModel({ organization: acme.id, name })).toBe(true)
      expect(await store.listModels(acme.id)).toEqual([])
    })

    it('stay known as removed until they are enabled again', async () => {
      const model = await store.enableModel({ organization: acme.id, name, ownedBy: 'acme' })
      await store.removeModel({ organization: acme.id, name })
      expect(await store.accessModels()).toContainEqual({ ...model, state: 'removed' })
      expect(await store.disableModel({ organization: acme.id, name })).toBe(false)
      expect(await store.removeModel({ organization: acme.id, name })).toBe(false)
      expect(await store.enableModel({ organization: acme.id, name })).toEqual(model)
    })

    it('cannot be disabled or removed if they were never enabled', async () => {
      expect(await store.disableModel({ organization: acme.id, name })).toBe(false)
      expect(await store.removeModel({ organization: acme.id, name })).toBe(false)
      await expect(store.enableModel({ organization: randomUUID(), name })).rejects.toMatchObject({ code: 'unknown' })
    })

    const added = { name, device: 'studio', source: 'qwen3:8b' }

    it('that are being added become enabled when they arrive, and only then', async () => {
      const { state } = await store.addModel({ organization: acme.id, ...added })
      expect(state).toBe('adding')
      expect(await store.accessModels()).toContainEqual(expect.objectContaining({ name, state: 'adding' }))
      expect(await store.modelArrived({ organization: acme.id, name })).toBe(true)
      expect(await store.modelArrived({ organization: acme.id, name })).toBe(false)
      expect(await store.listModels(acme.id)).toMatchObject([{ name, state: 'enabled' }])
      expect((await store.addModel({ organization: acme.id, ...added })).state).toBe('enabled')
    })

    it('that were disabled stay disabled when they are added', async () => {
      await store.enableModel({ organization: acme.id, name })
      await store.disableModel({ organization: acme.id, name })
      expect((await store.addModel({ organization: acme.id, ...added })).state).toBe('disabled')
      expect(await store.modelArrived({ organization: acme.id, name })).toBe(false)
    })

    it('that were removed are enabled when they are added', async () => {
      await store.enableModel({ organization: acme.id, name })
      await store.removeModel({ organization: acme.id, name })
      expect((await store.addModel({ organization: acme.id, ...added })).state).toBe('enabled')
    })

    it('are limited per organization, also for admins who add them at the same moment', async () => {
      const enable = (index: number) =>
        store.enableModel({ organization: acme.id, name: `m${index}`, most: 3 }).catch((error: unknown) => error)
      const made = await Promise.all(Array.from({ length: 8 }, (_, index) => enable(index)))
      const rejected = made.filter((one) => one instanceof Error)
      expect(rejected).toHaveLength(5)
      expect(rejected[0]).toMatchObject({
        code: 'limit',
        message: expect.stringMatching(/has 3 of 3 allowed models\. Remove.*MODELS_PER_ORGANIZATION/),
      })
      await expect(store.addModel({ organization: acme.id, ...added, most: 3 })).rejects.toMatchObject({
        code: 'limit',
      })
      const [known] = await store.listModels(acme.id)
      expect(await store.enableModel({ organization: acme.id, name: known!.name, most: 3 })).toEqual(known)
    })

    it('that were removed are forgotten beyond the latest hundred', async () => {
      for (let index = 0; index < 103; index++) {
        await store.enableModel({ organization: acme.id, name: `m${index}`, most: 1 })
        await store.removeModel({ organization: acme.id, name: `m${index}` })
      }
      const kept = (await store.accessModels()).filter(({ organization }) => organization === acme.id)
      expect(kept.length).toBeLessThanOrEqual(101)
      expect(kept.map((one) => one.name)).toContain('m102')
    })

    it('that are being added can be forgotten, enabled ones cannot', async () => {
      await store.addModel({ organization: acme.id, ...added })
      expect(await store.forgetAddedModel({ organization: acme.id, name })).toBe(true)
      expect(await store.listModels(acme.id)).toEqual([])
      await store.enableModel({ organization: acme.id, name })
      expect(await store.forgetAddedModel({ organization: acme.id, name })).toBe(false)
    })

    it('leave an entry in the audit log for every request to a device', async () => {
      await store.addModel({ organization: acme.id, ...added })
      await store.recordModelRequest({ organization: acme.id, name, device: 'studio', action: 'delete' })
      const entries = await store.listAudit({ organization: acme.id, limit: 2 })
      expect(entries).toMatchObject([
        { action: 'model.delete', object: { name }, after: { device: 'studio' } },
        { action: 'model.download', object: { name }, after: { device: 'studio', source: 'qwen3:8b' } },
      ])
    })

    it('keep the defaults that the organization set until they are replaced', async () => {
      const model = await store.enableModel({ organization: acme.id, name })
      const defaults = { temperature: 0.2, topP: 0.9, systemMessage: 'Be brief.', chatTemplate: '{{ messages }}' }
      expect(await store.setModelDefaults({ organization: acme.id, name, defaults })).toBe(true)
      expect(await store.listModels(acme.id)).toEqual([{ ...model, defaults }])
      await store.disableModel({ organization: acme.id, name })
      await store.enableModel({ organization: acme.id, name })
      expect(await store.accessModels()).toContainEqual({ ...model, defaults })
      expect(await store.setModelDefaults({ organization: acme.id, name, defaults: {} })).toBe(true)
      expect(await store.listModels(acme.id)).toEqual([model])
    })

    it('get no defaults if they were removed or never enabled', async () => {
      const set = () => store.setModelDefaults({ organization: acme.id, name, defaults: { topP: 1 } })
      expect(await set()).toBe(false)
      await store.enableModel({ organization: acme.id, name })
      await store.removeModel({ organization: acme.id, name })
      expect(await set()).toBe(false)
    })

    it('raise their revision when their defaults change', async () => {
      await store.enableModel({ organization: acme.id, name })
      const { models: after } = await store.revisions()
      await store.setModelDefaults({ organization: acme.id, name, defaults: { topP: 1 } })
      const { models: upTo } = await store.revisions()
      const changed = await store.changedModels({ after, upTo })
      expect(changed).toMatchObject([{ organization: acme.id, id: name, now: { defaults: { topP: 1 } } }])
      await store.setModelDefaults({ organization: acme.id, name, defaults: { topP: 1 } })
      expect((await store.revisions()).models).toBe(upTo)
    })

    it('record changed defaults in the audit log, long texts only by their length', async () => {
      await store.enableModel({ organization: acme.id, name })
      const defaults = { temperature: 0.2, systemMessage: 'Be brief.' }
      await store.setModelDefaults({ organization: acme.id, name, defaults })
      const [entry] = await store.listAudit({ organization: acme.id, limit: 1 })
      expect(entry).toMatchObject({
        action: 'model.defaults',
        object: { kind: 'model', name },
        before: {},
        after: { temperature: 0.2, systemMessage: '9 characters' },
      })
    })
  })
}
