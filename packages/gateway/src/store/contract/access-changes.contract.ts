import { randomUUID } from 'node:crypto'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Page, PageRequest, RevisionRange } from '../revisions/access-tables.ts'
import type { AccessWatch } from '../revisions/announcements.ts'
import type { Changed } from '../revisions/access-rows.ts'
import type { Revisions } from '../revisions/revisions.ts'
import { store, world } from '../../testing/store-world.ts'

describe('changes of access', () => {
  /** Everything that `change` changed. */
  async function changed(kind: keyof Revisions, change: () => Promise<unknown>): Promise<Changed<object>[]> {
    const { [kind]: after } = await store.revisions()
    await change()
    const { [kind]: upTo } = await store.revisions()
    return (await read(kind, { after, upTo }))!
  }

  function read(kind: keyof Revisions, range: RevisionRange): Promise<Changed<object>[] | undefined> {
    if (kind === 'keys') return store.changedKeys(range)
    return kind === 'models' ? store.changedModels(range) : store.changedDevices(range)
  }

  it('name each key, with what it is now', async () => {
    const input = world.newKey({ models: ['m'], limits: { jobsAtOnce: 2 } })
    const created = await changed('keys', () => store.createKey(input))
    const id = created[0]?.id ?? ''
    const now = { id, ...world.scope, digest: input.digest, models: ['m'], limits: { jobsAtOnce: 2 } }
    expect(created).toEqual([{ ...world.scope, id, now }])
    expect(await store.accessKeys()).toContainEqual(now)
    const revoked = await changed('keys', () => store.revokeKey({ ...world.scope, key: id }))
    expect(revoked).toEqual([{ ...world.scope, id }])
  })

  it('name the keys of an organization that separates prefix reuse by key', async () => {
    const { id } = await store.createKey(world.newKey())
    const change = (separatesPrefixes: boolean) =>
      changed('keys', () => store.changeSettings({ ...world.scope, separatesPrefixes }))
    const keyOf = (changes: Changed<object>[]) => changes.find((one) => one.id === id)?.now
    expect(keyOf(await change(true))).toMatchObject({ id, separatesPrefixes: true })
    expect(await change(true)).toEqual([])
    expect(keyOf(await change(false))).not.toHaveProperty('separatesPrefixes')
  })

  it("name the keys whose own, whose creator's or whose organization's budget changes", async () => {
    const key = await store.createKey(world.newKey())
    const scope = { ...world.scope, person: world.owner.person }
    const budgetsAfter = async (change: () => Promise<unknown>) => {
      const changes: Changed<object>[] = await changed('keys', change)
      return changes.find(({ id }) => id === key.id)?.now
    }
    const own = { ...world.scope, key: key.id, change: { limits: { tokensPerMonth: 1 } } }
    await budgetsAfter(() => store.changeKey(own))
    await budgetsAfter(() => store.changeMemberBudget({ ...scope, tokensPerMonth: 2 }))
    const all = await budgetsAfter(() => store.changeSettings({ ...world.scope, tokensPerMonth: 3 }))
    expect(all).toMatchObject({
      budgets: [
        { holder: 'key', ...world.scope, id: key.id, tokensPerMonth: 1 },
        { holder: 'member', ...world.scope, id: scope.person, tokensPerMonth: 2 },
        { holder: 'organization', ...world.scope, id: world.acme.id, tokensPerMonth: 3 },
      ],
    })
    expect(await budgetsAfter(() => store.changeMemberBudget({ ...scope, tokensPerMonth: null }))).toMatchObject({
      budgets: [{ holder: 'key' }, { holder: 'organization' }],
    })
  })

  it('name each model and device', async () => {
    const model = { ...world.scope, name: 'a/b \n c' }
    const enabled = await changed('models', () => store.enableModel(model))
    expect(enabled).toEqual([
      { ...world.scope, id: model.name, now: expect.objectContaining({ ...model, state: 'enabled' }) },
    ])
    const disabled = await changed('models', () => store.disableModel(model))
    expect(disabled).toEqual([
      { ...world.scope, id: model.name, now: expect.objectContaining({ ...model, state: 'disabled' }) },
    ])
    const device = await world.enrol('studio')
    const paused = await changed('devices', () => store.changeDevice({ ...world.scope, device, isPaused: true }))
    expect(paused).toEqual([
      { ...world.scope, id: device, now: expect.objectContaining({ id: device, isPaused: true }) },
    ])
    const removed = await changed('devices', () => store.removeDevice({ ...world.scope, device }))
    expect(removed).toEqual([{ ...world.scope, id: device }])
  })

  it('are complete when many are made at the same moment', async () => {
    const made: string[] = []
    const create = async () => void made.push((await store.createKey(world.newKey())).id)
    const changes = await changed('keys', () => Promise.all(Array.from({ length: 12 }, create)))
    expect(changes.map(({ id }) => id).toSorted()).toEqual(made.toSorted())
  })

  it('are unknown when they are too long ago', async () => {
    const { keys } = await store.revisions()
    expect(await store.changedKeys({ after: keys, upTo: keys + 1 })).toBeUndefined()
    expect(await store.changedKeys({ after: keys - 20_000, upTo: keys })).toBeUndefined()
    expect(await store.changedKeys({ after: keys, upTo: keys })).toEqual([])
  })

  it('can be caught up with page by page', async () => {
    for (let number = 0; number < 3; number++) {
      const { id } = await store.createKey(world.newKey())
      if (number === 1) await store.revokeKey({ ...world.scope, key: id })
      await world.enrol(`machine ${number}`)
      await store.enableModel({ ...world.scope, name: randomUUID() })
    }
    expect(await inPages((request) => store.keyPage(request))).toEqual(await store.accessKeys())
    expect(await inPages((request) => store.modelPage(request))).toEqual(await store.accessModels())
    expect(await inPages((request) => store.devicePage(request))).toEqual(await store.accessDevices())
  })
})

async function inPages<Row>(read: (request: PageRequest) => Promise<Page<Row>>): Promise<Row[]> {
  const { rows, end } = await read({ limit: 2 })
  const all = [...rows]
  for (let after = end; after;) {
    const page = await read({ limit: 2, after })
    all.push(...page.rows)
    after = page.end
  }
  return all
}

const WAIT = { timeout: 150_000, interval: 5 }

describe('announcements', () => {
  const watches: AccessWatch[] = []
  afterEach(async () => {
    await Promise.all(watches.splice(0).map((watch) => watch.close()))
  })

  async function watch(onChange: () => void): Promise<AccessWatch> {
    const opened = await store.watchAccess({ onChange, onError: () => undefined })
    watches.push(opened)
    return opened
  }

  it('tell everyone who watches of a change of access', async () => {
    const [first, second] = [vi.fn(), vi.fn()]
    await Promise.all([watch(first), watch(second)])
    // The first call says that the connection is there.
    await vi.waitFor(() => expect([first.mock.calls.length, second.mock.calls.length]).toEqual([1, 1]), WAIT)
    await store.createKey(world.newKey())
    await vi.waitFor(() => expect([first.mock.calls.length, second.mock.calls.length]).toEqual([2, 2]), WAIT)
  })

  it('are known when everyone who watches has read the change', async () => {
    const known: number[] = []
    const read = async () => {
      const revisions = await store.revisions()
      known.push(revisions.keys)
      gateway.known(revisions)
    }
    const gateway: AccessWatch = await watch(() => void read())
    await vi.waitFor(() => expect(known).toHaveLength(1), WAIT)
    await store.createKey(world.newKey())
    await store.changesAreKnown()
    expect(known.at(-1)).toBe((await store.revisions()).keys)
  })

  it('are waited for only so long, and not at all if nobody watches', async () => {
    await store.changesAreKnown()
    const connected = Promise.withResolvers<void>()
    const stuck = await watch(connected.resolve)
    await connected.promise
    stuck.known({ keys: 0, models: 0, devices: 0 })
    await store.createKey(world.newKey())
    await store.changesAreKnown()
  })
})
