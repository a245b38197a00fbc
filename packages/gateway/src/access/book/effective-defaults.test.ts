import { STARTER_MODEL } from '@hearth/model-list'
import { describe, expect, it } from 'vitest'
import { effectiveDefaults } from './effective-defaults.ts'

describe('the defaults of a model', () => {
  it('come from the list of well-known models, by any of its names', () => {
    for (const name of ['SmolLM2-135M-Instruct', STARTER_MODEL.name])
      expect(effectiveDefaults(name, undefined)).toEqual({ temperature: 0.2, topP: 0.9 })
  })

  it('come from the organization first, field by field', () => {
    const own = { temperature: 0.7, systemMessage: 'Be brief.' }
    expect(effectiveDefaults('SmolLM2-135M-Instruct', own)).toEqual({ ...own, topP: 0.9 })
    expect(effectiveDefaults('a model of our own', own)).toEqual(own)
  })

  it('are left to the engine if neither has any', () => {
    expect(effectiveDefaults('a model of our own', undefined)).toBeUndefined()
  })
})
