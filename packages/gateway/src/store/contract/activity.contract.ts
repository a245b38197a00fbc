import { describe, expect, it } from 'vitest'
import { store, world } from '../../testing/store-world.ts'
import { FAR_AWAY, LONG_AGO } from '../../testing/store-world.ts'
import { MOST_KEPT } from '../people/activity.ts'

describe('what happened to an account', () => {
  it('is kept up to a number of entries, of which the newest stay', async () => {
    const { person } = world.owner
    const [first, ...rest] = Array.from({ length: MOST_KEPT + 20 }, (_, index) => `192.0.2.${index}`)
    const signIn = (address: string) =>
      store.recordActivity({ person, event: 'sign-in', way: 'password', address, isThem: true })
    await signIn(first!)
    while (rest.length > 0) await Promise.all(rest.splice(0, 20).map(signIn))
    const latest = '198.51.100.1'
    await signIn(latest)
    const { activity } = await store.readPersonData(person)
    expect(activity).toHaveLength(MOST_KEPT)
    expect(activity.at(-1)?.address).toBe(latest)
    expect(activity.map(({ address }) => address)).not.toContain(first)
  })

  it('counts failures at the same moment together, apart from other people and other failures', async () => {
    const { person } = world.owner
    const { person: another } = await world.add('member')
    const failure = { event: 'wrong-password', isThem: false } as const
    await Promise.all(Array.from({ length: 8 }, () => store.recordActivity({ person, ...failure })))
    await store.recordActivity({ person: another, ...failure })
    await store.recordActivity({ person, ...failure, event: 'wrong-code' })
    expect((await store.listActivity(person)).map(({ event, times }) => [event, times])).toEqual([
      ['wrong-code', 1],
      ['wrong-password', 8],
    ])
    expect(await store.listActivity(another)).toMatchObject([{ times: 1 }])
    expect((await world.audit(20)).filter(({ isRefused }) => isRefused)).toHaveLength(3)
  })

  it('is forgotten when it is old, and with the account', async () => {
    const { person } = await world.add('member')
    await store.recordActivity({ person, event: 'sign-in', isThem: true })
    expect(await store.pruneActivity({ before: LONG_AGO, limit: 1_000 })).toBe(0)
    expect(await store.pruneActivity({ before: FAR_AWAY, limit: 1_000 })).toBeGreaterThan(0)
    expect(await store.listActivity(person)).toEqual([])
    await store.recordActivity({ person, event: 'sign-in', isThem: true })
    await store.deletePerson({ person, isOwnWish: true })
    expect(await store.listActivity(person)).toEqual([])
  })
})
