import { STARTER_MODEL } from '@hearth/model-list'
import { describe, expect, it } from 'vitest'
import { effectiveDefaults } from './effective-defaults.ts'

const STARTERS = { temperature: 0.2, topP: 0.9, frequencyPenalty: 0.4, maxTokens: 1_024 }
const SAMPLING = ['temperature', 'topP', 'frequencyPenalty']

describe('the defaults of a model', () => {
  it('come from the list of well-known models, by any of its names', () => {
    for (const name of ['SmolLM2-135M-Instruct', STARTER_MODEL.name])
      expect(effectiveDefaults(name, undefined)).toEqual({ ...STARTERS, recommended: SAMPLING })
  })

  it('come from the organization first, field by field', () => {
    const own = { temperature: 0.7, systemMessage: 'Be brief.' }
    expect(effectiveDefaults('SmolLM2-135M-Instruct', own)).toEqual({
      ...STARTERS,
      ...own,
      recommended: ['topP', 'frequencyPenalty'],
    })
    expect(effectiveDefaults('a model of our own', own)).toEqual(own)
  })

  it('are all that the model’s authors recommend', () => {
    const own = { temperature: 0.7, topP: 0.8, topK: 20, repeatPenalty: 1.1 }
    expect(effectiveDefaults('qwen2.5:0.5b', undefined)).toMatchObject(own)
  })

  it('are left to the engine if neither has any', () => {
    expect(effectiveDefaults('a model of our own', undefined)).toBeUndefined()
  })
})
