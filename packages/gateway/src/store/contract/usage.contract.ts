import { describe, expect, it } from 'vitest'
import { noTimes } from '../usage/time-buckets.ts'
import type { FoldedDay } from '../usage/fold-usage.ts'
import type { UsageRow } from '../usage/usage-addition.ts'
import { HOUR, LATER, NOW, store, world } from '../../testing/store-world.ts'

describe('usage', () => {
  const row = (more: Partial<UsageRow> = {}) => world.usage(more)
  const list = () => store.listUsage({ ...world.scope, from: HOUR, to: LATER })

  it('adds up for the same hour, key, model and device, within a batch and across batches', async () => {
    await store.addUsage([row(), row({ errors: 1 }), row({ device: '' })])
    await store.addUsage([row({ waitMs: 1, promptTokens: 3_000_000_000 })])
    await store.addUsage([])
    expect(await list()).toEqual([
      row({ device: '' }),
      row({ requests: 3, errors: 1, promptTokens: 3_000_000_020, completionTokens: 15, waitMs: 15 }),
    ])
  })

  it('is not lost when batches arrive at the same moment, in any order', async () => {
    const batch = Array.from({ length: 50 }, (_, number) => row({ key: `k${number}` }))
    await Promise.all([store.addUsage(batch), store.addUsage(batch.toReversed()), store.addUsage(batch)])
    const rows = await list()
    expect(rows).toHaveLength(50)
    expect(rows.every(({ requests }) => requests === 3)).toBe(true)
  })

  it('is accepted in batches of any size', async () => {
    await store.addUsage(Array.from({ length: 8_000 }, (_, number) => row({ model: `m${number % 4_000}` })))
    const rows = await list()
    expect(rows).toHaveLength(4_000)
    expect(rows.every(({ requests }) => requests === 2)).toBe(true)
  })

  it('is added once per batch of a journal, however often and from wherever the batch is written', async () => {
    const journal = `journal of ${world.acme.id}`
    const batch = { journal, number: 1 }
    await store.addUsage([row()], batch)
    await Promise.all([store.addUsage([row()], batch), store.addUsage([row()], batch)])
    await Promise.all(Array.from({ length: 4 }, () => store.addUsage([row()], { journal, number: 2 })))
    await store.addUsage([row()], { journal: `${journal}, another`, number: 1 })
    await store.addUsage([row()], batch)
    expect((await list()).map(({ requests }) => requests)).toEqual([3])
  })

  it('is added up by month for the key, its creator and the organization, in step with the batches of journals', async () => {
    const month = new Date(Date.UTC(HOUR.getUTCFullYear(), HOUR.getUTCMonth()))
    const key = await store.createKey(world.newKey({ limits: { tokensPerMonth: 100 } }))
    const [organization, person] = [world.acme.id, world.owner.person]
    await store.changeSettings({ organization, tokensPerMonth: 1_000 })
    expect(await store.changeMemberBudget({ organization, person, tokensPerMonth: 500 })).toBe('done')
    const batch = { journal: `journal of ${world.acme.id}`, number: 3 }
    for (let times = 0; times < 2; times++)
      await store.addUsage([row({ key: key.id }), row(), row({ key: key.id })], batch)
    const own = (await store.readSpending(month)).filter(
      (spent) => spent.organization === organization || spent.id === batch.journal,
    )
    expect(own.toSorted((one, other) => one.holder.localeCompare(other.holder))).toEqual([
      { holder: 'journal', organization: '', id: batch.journal, tokens: 3 },
      { holder: 'key', organization, id: key.id, tokens: 30 },
      { holder: 'member', organization, id: person, tokens: 30 },
      { holder: 'organization', organization, id: organization, tokens: 45 },
    ])
    const listed = await store.listBudgets({ organization, month })
    expect(listed.map(({ holder, name, tokens, used }) => [holder, name, tokens, used])).toEqual([
      ['key', 'laptop', 100, 30],
      ['member', 'Ann', 500, 30],
      ['organization', 'Acme', 1_000, 45],
    ])
    const bo = await world.add('member')
    expect(await store.listBudgets({ organization, month, createdBy: bo.person })).toHaveLength(1)
    expect(await store.listBudgets({ organization, month: new Date(0) })).toMatchObject([
      { used: 0 },
      { used: 0 },
      { used: 0 },
    ])
  })

  it('is added again for a journal that was forgotten', async () => {
    const batch = { journal: `journal of ${world.acme.id}`, number: 7 }
    await store.addUsage([row()], batch)
    await store.forgetUsageJournal(batch.journal)
    await store.addUsage([row()], batch)
    expect((await list()).map(({ requests }) => requests)).toEqual([2])
  })

  it('of a batch that fails is not marked as added', async () => {
    const batch = { journal: `journal of ${world.acme.id}`, number: 1 }
    await expect(store.addUsage([row({ model: 'a\0b' })], batch)).rejects.toThrow()
    await store.addUsage([row()], batch)
    expect((await list()).map(({ requests }) => requests)).toEqual([1])
  })

  it('has histograms of times, added up in any way', async () => {
    const times = (...counts: [scope: number, count: number][]) => {
      const all = noTimes()
      for (const [scope, count] of counts) all[scope] = count
      return all
    }
    await store.addUsage([row({ times: times([0, 1], [83, 2]) }), row({ times: times([0, 4]) }), row({ device: 'e' })])
    await store.addUsage([row({ times: times([5, 7]), busyMs: 9 })])
    const question = { ...world.scope, from: HOUR, to: LATER, by: 'model' } as const
    const [sum] = await store.sumUsage(question)
    expect(sum).toMatchObject({ requests: 4, busyMs: 9, times: times([0, 5], [5, 7], [83, 2]) })
    const points = await store.usagePoints({ ...question, by: 'device', step: 'hour', ids: ['e'] })
    expect(points.map(({ id, requests, times: [first] }) => [id, requests, first])).toEqual([
      ['\n', 3, 5],
      ['e', 1, 0],
    ])
  })

  it('has the same sums of days before and after its hours become days', async () => {
    const at = (text: string) => new Date(`2025-03-${text}:00:00.000Z`)
    const range = { ...world.scope, from: at('01T00'), to: at('04T00') }
    const [model, code] = ['m', 'server_error']
    const rows = ['01T00', '01T05', '01T23', '02T00', '02T11', '03T09'].flatMap((hour, number) =>
      ['k', 'l'].map((key) =>
        row({ hour: at(hour), key, model, requests: number + 1, times: noTimes().fill(number, 3, 9) }),
      ),
    )
    const codes = rows.map((each) => ({ ...each, code, requests: 1 }))
    await store.addUsage(rows, undefined, { codes, requests: [] })
    const read = async () => ({
      sums: await store.sumUsage({ ...range, by: 'key' }),
      // Only hours tell about all three.
      exact: await store.sumUsage({ ...range, by: 'key', model, device: 'd' }),
      ofKey: await store.sumUsage({ ...range, by: 'model', key: 'l' }),
      points: await store.usagePoints({ ...range, by: 'device', step: 'day', ids: ['d'] }),
      codes: await store.usageCodes({ ...range, by: 'model' }),
    })
    const before = await read()
    expect(before.sums).toEqual(before.exact)
    expect(before.sums.map(({ id, requests }) => [id, requests])).toEqual([
      ['k', 21],
      ['l', 21],
    ])
    expect(before.ofKey).toMatchObject([{ id: model, requests: 21, promptTokens: 60 }])
    expect(before.points.map(({ at: day, requests }) => [day, requests])).toEqual([
      [at('01T00'), 12],
      [at('02T00'), 18],
      [at('03T00'), 12],
    ])
    let after: FoldedDay | undefined
    const folded: FoldedDay[] = []
    const question = { before: at('03T10') }
    while ((after = await store.foldUsage({ ...question, ...(after && { after }) }))) folded.push(after)
    const own = folded.filter(({ organization }) => organization === world.acme.id)
    expect(own.map(({ day }) => day)).toEqual([at('01T00'), at('02T00')])
    expect(await read()).toEqual(before)
    const hours = await store.listUsage(range)
    expect(hours.map(({ hour }) => hour.getTime())).toEqual(
      ['01T00', '01T00', '02T00', '02T00', '03T09', '03T09'].map((hour) => at(hour).getTime()),
    )
    expect(await store.foldUsage(question)).toBeUndefined()
  })

  it('counts failed requests by code', async () => {
    const { requests: _, ...scope } = row()
    const code = (name: string, requests: number) => ({ ...scope, code: name, requests })
    const codes = [code('model_not_found', 1), code('model_not_found', 1), code('invalid_json', 5)]
    const batch = { journal: `codes of ${world.acme.id}`, number: 1 }
    for (let time = 0; time < 2; time++) await store.addUsage([row()], batch, { codes, requests: [] })
    await store.addUsage([row()], undefined, { codes: [code('model_not_found', 2)], requests: [] })
    const question = { ...world.scope, from: HOUR, to: LATER, by: 'model' } as const
    expect(await store.usageCodes(question)).toEqual([
      { code: 'invalid_json', requests: 5 },
      { code: 'model_not_found', requests: 4 },
    ])
    expect(await store.usageCodes({ ...question, key: 'another' })).toEqual([])
  })

  it('is listed from the first hour up to, but not including, the last', async () => {
    await store.addUsage([row({ hour: HOUR }), row({ hour: NOW }), row({ hour: LATER })])
    expect((await list()).map(({ hour }) => hour)).toEqual([HOUR, NOW])
  })
})
