import { describe, expect, it } from 'vitest'
import { orderModels } from './launch.ts'

const STARTER = 'smollm2-135m-instruct'

describe('the models of the panel', () => {
  it('are those of this machine, then those of others, and trial models come after their betters', () => {
    expect(orderModels([STARTER, 'qwen3:8b'], ['far', STARTER, 'qwen3:8b'])).toEqual(['qwen3:8b', STARTER, 'far'])
    expect(orderModels(['hearth-tiny', 'qwen3:8b'], ['hearth-tiny', 'qwen3:8b'])).toEqual(['qwen3:8b', 'hearth-tiny'])
  })

  it('are enabled, also if this machine serves none of them', () => {
    expect(orderModels([], ['far'])).toEqual(['far'])
    expect(orderModels(['disabled'], [])).toEqual([])
  })
})
