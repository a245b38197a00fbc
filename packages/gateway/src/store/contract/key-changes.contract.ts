import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { KeyChange } from '../keys/key-changes.ts'
import type { KeyQuestion } from '../keys/key-pages.ts'
import type { Key } from '../keys/key-rows.ts'
import { FAR_AWAY, LONG_AGO, store, world } from '../../testing/store-world.ts'

describe('changes of a key', () => {
  const change = (key: string, some: KeyChange) => store.changeKey({ ...world.scope, key, change: some })
  const accessOf = async (key: string) => (await store.accessKeys()).find(({ id }) => id === key)
  const lastAudit = async () => (await world.audit(1))[0]

  it('change its name, expiry, models and limits, and nothing else', async () => {
    const input = world.newKey({ models: ['a'], limits: { jobsAtOnce: 2, tokensPerMinute: 5 } })
    const { id } = await store.createKey(input)
    await change(id, { name: 'renamed' })
    const changed = await change(id, { expiresAt: FAR_AWAY, models: ['b', 'c'], limits: { requestsPerMinute: 9 } })
    const settings = { expiresAt: FAR_AWAY, models: ['b', 'c'], limits: { requestsPerMinute: 9 } }
    expect(changed).toMatchObject({ id, name: 'renamed', hint: input.hint, ...settings })
    expect(await accessOf(id)).toEqual({ id, ...world.scope, digest: input.digest, ...settings })
    expect(await lastAudit()).toMatchObject({
      action: 'key.change',
      before: { models: ['a'], jobsAtOnce: 2, tokensPerMinute: 5 },
      after: { models: ['b', 'c'], requestsPerMinute: 9, expiresAt: FAR_AWAY.toISOString() },
    })
    const freed = await change(id, { expiresAt: null, models: null, limits: {} })
    expect([freed?.expiresAt, freed?.models, freed?.limits]).toEqual([undefined, undefined, {}])
  })

  it('disable it until it is enabled again', async () => {
    const input = world.newKey()
    const { id } = await store.createKey(input)
    expect(await world.increased(() => change(id, { isDisabled: true }))).toEqual(['keys'])
    expect(await world.isUsable(input.digest)).toBe(false)
    expect(await lastAudit()).toMatchObject({ action: 'key.disable', object: { id } })
    const disabled = await store.findKey({ ...world.scope, key: id })
    expect(await change(id, { isDisabled: true })).toEqual(disabled)
    await change(id, { isDisabled: false })
    expect([await world.isUsable(input.digest), (await lastAudit())?.action]).toEqual([true, 'key.enable'])
  })

  it('replace its secret, and keep the old one for a while', async () => {
    const old = world.newKey({ hint: 'olds' })
    const { id } = await store.createKey(old)
    const secret = { digest: randomUUID(), hint: 'news' }
    const rotate = () => store.rotateKey({ ...world.scope, key: id, ...secret, previousEndsAt: FAR_AWAY })
    expect(await world.increased(rotate)).toEqual(['keys'])
    const previous = { digest: old.digest, endsAt: FAR_AWAY }
    expect(await accessOf(id)).toEqual({ id, ...world.scope, digest: secret.digest, previous })
    expect(await store.findKey({ ...world.scope, key: id })).toMatchObject({
      hint: 'news',
      previous: { hint: 'olds', endsAt: FAR_AWAY },
    })
    expect(await lastAudit()).toMatchObject({
      action: 'key.rotate',
      before: { hint: 'olds' },
      after: { hint: 'news' },
    })
    expect(JSON.stringify(await lastAudit())).not.toContain(secret.digest)
  })

  it('end the old secret at once if asked to, at the rotation or later', async () => {
    const { id } = await store.createKey(world.newKey())
    const choice = { ...world.scope, key: id }
    const rotate = (previousEndsAt?: Date) =>
      store.rotateKey({ ...choice, digest: randomUUID(), hint: 'x', ...(previousEndsAt && { previousEndsAt }) })
    expect((await rotate(FAR_AWAY))?.previous).toBeDefined()
    expect((await rotate())?.previous).toBeUndefined()
    expect(await store.endPreviousSecret(choice)).toBe(false)
    await rotate(FAR_AWAY)
    expect(await world.increased(() => store.endPreviousSecret(choice))).toEqual(['keys'])
    expect(await accessOf(id)).not.toHaveProperty('previous')
  })

  it('are impossible on a revoked key, a key of someone else and a playground key', async () => {
    const guest = await world.add('member')
    const revoked = await store.createKey(world.newKey())
    await store.revokeKey({ ...world.scope, key: revoked.id })
    const foreign = await store.createKey(world.newKey())
    const playground = await store.createKey(world.newKey({ session: 's', expiresAt: FAR_AWAY }))
    const other = await store.createOrganization({ name: 'Other' })
    const choices = [
      { ...world.scope, key: revoked.id },
      { ...world.scope, key: foreign.id, createdBy: guest.person },
      { ...world.scope, key: playground.id },
      { organization: other.id, key: foreign.id },
    ]
    for (const choice of choices) {
      expect(await store.changeKey({ ...choice, change: { name: 'mine' } })).toBeUndefined()
      expect(await store.rotateKey({ ...choice, digest: randomUUID(), hint: 'x' })).toBeUndefined()
      expect(await store.endPreviousSecret(choice)).toBe(false)
    }
    expect((await store.findKey({ ...world.scope, key: foreign.id }))?.name).toBe('laptop')
  })

  it('bring an expired key back only within the quota', async () => {
    const quota = { perMember: 1, perOrganization: 10 }
    const expired = await store.createKey(world.newKey({ expiresAt: LONG_AGO }))
    const working = await store.createKey(world.newKey())
    const revive = () => store.changeKey({ ...world.scope, key: expired.id, change: { expiresAt: null }, quota })
    await expect(revive()).rejects.toMatchObject({ code: 'limit' })
    await store.revokeKey({ ...world.scope, key: working.id })
    expect((await revive())?.expiresAt).toBeUndefined()
    expect(await accessOf(expired.id)).toBeDefined()
  })
})

describe('pages of keys', () => {
  const ask = (more: Partial<KeyQuestion> = {}) =>
    store.pageKeys({
      ...world.scope,
      sort: 'created',
      isDescending: true,
      offset: 0,
      limit: 100,
      ...more,
    })
  const namesOf = ({ keys }: { keys: Key[] }) => keys.map(({ name }) => name)

  it('hold as many keys as asked for, and say how many there are of each state', async () => {
    for (const name of ['one', 'two', 'three', 'four']) await store.createKey(world.newKey({ name }))
    const { id } = await store.createKey(world.newKey({ name: 'off' }))
    await store.changeKey({ ...world.scope, key: id, change: { isDisabled: true } })
    await store.createKey(world.newKey({ name: 'over', expiresAt: LONG_AGO }))
    await store.createKey(world.newKey({ name: 'playground', session: 's', expiresAt: FAR_AWAY }))
    const page = await ask({ state: 'active', offset: 1, limit: 2 })
    expect([namesOf(page), page.counts]).toEqual([['three', 'two'], { active: 4, disabled: 1, ended: 1 }])
    expect(namesOf(await ask({ state: 'disabled' }))).toEqual(['off'])
    expect(namesOf(await ask({ state: 'ended' }))).toEqual(['over'])
    expect(namesOf(await ask({ state: 'active', sort: 'name', isDescending: false }))).toEqual([
      'four',
      'one',
      'three',
      'two',
    ])
  })

  it('find keys by words of their name, hint or creator, whatever characters these contain', async () => {
    const guest = await world.add('member')
    await store.createKey(world.newKey({ name: '100% sure_thing', hint: 'abcd' }))
    await store.createKey(world.newKey({ name: 'other', hint: 'wxyz', createdBy: guest.person }))
    expect(namesOf(await ask({ search: 'SURE 100%' }))).toEqual(['100% sure_thing'])
    expect(namesOf(await ask({ search: '_' }))).toEqual(['100% sure_thing'])
    expect(namesOf(await ask({ search: 'wxyz' }))).toEqual(['other'])
    expect(namesOf(await ask({ search: 'bo' }))).toEqual(['other'])
    expect(await ask({ search: "'; --" })).toMatchObject({ keys: [], counts: { active: 0 } })
    expect(namesOf(await ask({ createdBy: guest.person }))).toEqual(['other'])
  })

  it('list keys that were never used last, in either order', async () => {
    const used = await store.createKey(world.newKey({ name: 'used' }))
    await store.createKey(world.newKey({ name: 'never' }))
    await store.touchKeys([{ key: used.id, at: LONG_AGO }])
    for (const isDescending of [true, false])
      expect(namesOf(await ask({ sort: 'used', isDescending }))).toEqual(['used', 'never'])
  })
})
