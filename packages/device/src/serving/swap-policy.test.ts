import { describe, expect, it } from 'vitest'
import { expiresAt, makeRoom, nextToLoad, type Loaded } from './swap-policy.ts'

const NOW = 1_000_000
const HALF_AN_HOUR = 30 * 60_000

/** Loaded in a second, long ago, and idle ever since. */
const loaded = (name: string, fields: Partial<Loaded> = {}): Loaded => ({
  name,
  loadedAt: 0,
  loadMs: 1_000,
  usedAt: 0,
  running: 0,
  isClosing: false,
  keepAliveMs: HALF_AN_HOUR,
  ...fields,
})
const busy = (name: string, fields: Partial<Loaded> = {}) => loaded(name, { running: 1, usedAt: NOW, ...fields })

describe('the next model', () => {
  it('is the one whose oldest job has waited longest', () => {
    const models = [
      { name: 'idle', waitingSince: undefined },
      { name: 'late', waitingSince: 20 },
      { name: 'early', waitingSince: 10 },
    ]
    expect(nextToLoad(models)?.name).toBe('early')
    expect(nextToLoad(models.slice(0, 1))).toBeUndefined()
  })
})

describe('room for a model', () => {
  it('is made by the idle model that was used longest ago', () => {
    const models = [loaded('a', { usedAt: 20 }), loaded('b', { usedAt: 10 }), busy('c')]
    expect(makeRoom(models, NOW)).toEqual({ do: 'unload', name: 'b' })
  })

  it('is not made by a model that was loaded more recently than loading it took', () => {
    const fresh = loaded('a', { loadedAt: NOW - 7_999, loadMs: 8_000, usedAt: NOW - 7_000 })
    expect(makeRoom([fresh], NOW)).toEqual({ do: 'wait', until: NOW + 1 })
    expect(makeRoom([fresh], NOW + 1)).toEqual({ do: 'unload', name: 'a' })
  })

  it('is not made between two requests of one client', () => {
    expect(makeRoom([loaded('a', { loadedAt: NOW - 2_000, usedAt: NOW - 249 })], NOW)).toEqual({
      do: 'wait',
      until: NOW + 1,
    })
  })

  it.each([
    [100, 5_000],
    [3_000, 12_000],
    [600_000, 30_000],
  ])('is made by a used model that took %d ms to load after its turn of %d ms', (loadMs, turnMs) => {
    const model = busy('a', { loadedAt: NOW, loadMs })
    expect(makeRoom([model], NOW)).toEqual({ do: 'wait', until: NOW + turnMs })
    expect(makeRoom([model], NOW + turnMs)).toEqual({ do: 'close', name: 'a' })
  })

  it('is made by one used model at a time, the one loaded first', () => {
    const models = [busy('a', { loadedAt: 2 }), busy('b', { loadedAt: 1 })]
    expect(makeRoom(models, NOW)).toEqual({ do: 'close', name: 'b' })
    const closing = models.map((model) => ({ ...model, isClosing: model.name === 'b' }))
    expect(makeRoom(closing, NOW)).toEqual({ do: 'wait', until: Number.POSITIVE_INFINITY })
    const done = closing.map((model) => ({ ...model, running: model.name === 'b' ? 0 : 1 }))
    expect(makeRoom(done, NOW)).toEqual({ do: 'unload', name: 'b' })
  })

  it('is never made by a model that is always kept', () => {
    const kept = loaded('a', { keepAliveMs: Number.POSITIVE_INFINITY })
    expect(makeRoom([kept], NOW)).toEqual({ do: 'nothing' })
    expect(makeRoom([kept, loaded('b')], NOW)).toEqual({ do: 'unload', name: 'b' })
  })
})

describe('keep-alive', () => {
  it('counts from the end of the last job', () => {
    expect(expiresAt(loaded('a', { usedAt: 5 }))).toBe(5 + HALF_AN_HOUR)
    expect(expiresAt(busy('a'))).toBe(Number.POSITIVE_INFINITY)
  })

  it('is over at once for never, and never for always', () => {
    expect(expiresAt(loaded('a', { usedAt: 5, keepAliveMs: 0 }))).toBe(5)
    expect(expiresAt(loaded('a', { keepAliveMs: Number.POSITIVE_INFINITY }))).toBe(Number.POSITIVE_INFINITY)
  })
})
