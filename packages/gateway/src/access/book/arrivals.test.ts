import { describe, expect, it } from 'vitest'
import type { Model } from '../../store/models.ts'
import type { Store } from '../../store/store.ts'
import { Arrivals } from './arrivals.ts'

const device = { id: 'd1', organization: 'acme', name: 'studio' }

function begin(state: Model['state']) {
  const arrived: Parameters<Store['modelArrived']>[0][] = []
  const models = new Map([['m', { organization: 'acme', name: 'm', state, ownedBy: 'acme', createdAt: new Date(0) }]])
  const refreshed = Promise.withResolvers<void>()
  const arrivals = new Arrivals({
    store: {
      modelArrived: (input) => {
        arrived.push(input)
        return Promise.resolve(true)
      },
    },
    book: { models: () => models, changed: async () => refreshed.resolve() },
    onError: refreshed.reject,
  })
  return { arrivals, arrived, refreshed: refreshed.promise }
}

describe('models that arrive on a device', () => {
  it('are enabled once if someone added them', async () => {
    const { arrivals, arrived, refreshed } = begin('adding')
    arrivals.announced(device, [{ name: 'm' }, { name: 'other' }])
    arrivals.announced(device, [{ name: 'm' }])
    await refreshed
    expect(arrived).toEqual([{ organization: 'acme', name: 'm', by: { kind: 'device', id: 'd1', name: 'studio' } }])
  })

  it.each(['disabled', 'removed', 'enabled'] as const)('stay %s otherwise', (state) => {
    const { arrivals, arrived } = begin(state)
    arrivals.announced(device, [{ name: 'm' }])
    expect(arrived).toEqual([])
  })
})
