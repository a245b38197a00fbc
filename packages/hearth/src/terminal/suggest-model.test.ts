import { STARTER_MODEL } from '@hearth/model-list'
import { expect, it } from 'vitest'
import { suggestModel } from './suggest-model.ts'

const GB = 1e9

it('suggests the largest model that takes a quarter of the memory at most', () => {
  const sizes = [8, 16, 32, 64, 512].map((memory) => {
    const { quantizations, parameters } = suggestModel(memory * GB)!
    expect(quantizations[0]!.bytes).toBeLessThanOrEqual((memory * GB) / 4)
    return parameters
  })
  expect(sizes).toEqual(sizes.toSorted((one, other) => one - other))
  expect(sizes[0]).toBeGreaterThan(STARTER_MODEL.parameters)
})

it('suggests nothing to a machine that is too small', () => {
  expect(suggestModel(0.2 * GB)).toBeUndefined()
})
