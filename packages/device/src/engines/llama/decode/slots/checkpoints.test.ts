import { describe, expect, it } from 'vitest'
import type { NativeCheckpoint, NativeCheckpoints } from '../../native/native-checkpoints.ts'
import { Checkpoints } from './checkpoints.ts'

interface Fake extends NativeCheckpoints {
  /** The number of tokens in each slot. */
  lengths: number[]
  restored: [length: number, slot: number][]
  /** The lengths of the states that still take memory. */
  held(): number[]
}

function fakeNative(bytes = 10): Fake {
  const held = new Set<NativeCheckpoint>()
  const restored: [number, number][] = []
  const lengths: number[] = []
  return {
    hasWindow: false,
    canTrim: () => false,
    lengths,
    restored,
    held: () => Array.from(held, ({ length }) => length).toSorted((a, b) => a - b),
    take(slot) {
      const state: NativeCheckpoint = { bytes, length: lengths[slot]!, dispose: () => void held.delete(state) }
      held.add(state)
      return Promise.resolve(state)
    },
    restore({ length }, slot) {
      restored.push([length, slot])
      return Promise.resolve(true)
    },
  }
}

/** With checkpoints of the first slot after these lengths, then with those of the second, and so on. */
async function open(taken: readonly number[][], limits: { bytes?: number; perSlot?: number } = {}) {
  const native = fakeNative()
  const checkpoints = new Checkpoints(native, () => false, { bytes: 1000, perSlot: 8, ...limits })
  for (const [slot, lengths] of taken.entries())
    for (const length of lengths) {
      native.lengths[slot] = length
      await checkpoints.take(slot, length)
    }
  return { native, checkpoints }
}

describe('Checkpoints', () => {
  it('finds the longest one that fits', async () => {
    const { checkpoints } = await open([[100, 300], [200]])
    expect([99, 100, 250, 300, 999].map((most) => checkpoints.lengthUpTo(0, most))).toEqual([0, 100, 100, 300, 300])
    expect(checkpoints.lengthUpTo(1, 999)).toBe(200)
  })

  it('goes back to exactly the length it was taken at', async () => {
    const { native, checkpoints } = await open([[100, 300]])
    expect(await checkpoints.restore(0, 100)).toBe(true)
    expect(await checkpoints.restore(0, 200)).toBe(false)
    expect(native.restored).toEqual([[100, 0]])
  })

  it('frees what a slot can’t go back to any more', async () => {
    const { native, checkpoints } = await open([[100, 300]])
    checkpoints.trim(0, 299)
    expect(native.held()).toEqual([100])
    checkpoints.trim(0, 0)
    expect([native.held(), checkpoints.bytes]).toEqual([[], 0])
  })

  it('shares the states of a copied slot, and frees them with the last one', async () => {
    const { native, checkpoints } = await open([[100], [50]])
    checkpoints.copy(1, 0)
    expect([native.held(), checkpoints.bytes, checkpoints.lengthUpTo(1, 999)]).toEqual([[100], 10, 100])
    checkpoints.trim(0, 0)
    expect([native.held(), checkpoints.lengthUpTo(0, 999)]).toEqual([[100], 0])
    checkpoints.trim(1, 0)
    expect(native.held()).toEqual([])
  })

  it('takes nothing twice', async () => {
    const { native } = await open([[100, 100]])
    expect(native.held()).toEqual([100])
  })

  it('drops the one of a slot that saves the fewest tokens, but not its last', async () => {
    const lengths = [1000, 1100, 3000, 3050]
    const { native } = await open([lengths], { perSlot: 3 })
    expect(native.held()).toEqual([1000, 3000, 3050])
  })

  it('stays within its memory: first what saves little, then the slot used longest ago', async () => {
    const { native, checkpoints } = await open([[500], [200, 900], [700]], { bytes: 30 })
    expect([native.held(), checkpoints.bytes]).toEqual([[500, 700, 900], 30])
    await checkpoints.restore(0, 500)
    native.lengths[3] = 100
    await checkpoints.take(3, 100)
    expect([native.held(), checkpoints.bytes]).toEqual([[100, 500, 700], 30])
  })

  it('gives up on a model whose single state is too large', async () => {
    const { native, checkpoints } = await open([[500]], { bytes: 9 })
    expect([native.held(), checkpoints.planStops([1, 2, 3], 0)]).toEqual([[], []])
  })

  it('survives a state that can’t be taken or restored', async () => {
    const { native, checkpoints } = await open([[100]])
    native.take = () => Promise.reject(new Error('out of memory'))
    native.restore = () => Promise.reject(new Error('broken'))
    await checkpoints.take(1, 50)
    expect(checkpoints.lengthUpTo(1, 999)).toBe(0)
    expect(await checkpoints.restore(0, 100)).toBe(false)
  })
})
