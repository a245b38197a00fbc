import { FEATURES } from '@hearth/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { probeFeatures } from './features.ts'
import { studyModel } from './model-profile.ts'
import { openTinyEngine, type TinyEngine } from '../testing/tiny-engine.ts'

let tiny: TinyEngine
beforeAll(async () => {
  tiny = await openTinyEngine({ slots: 2, contextLength: 512 })
})
afterAll(() => tiny.close())

describe('probeFeatures', () => {
  it('[W35] finds everything on a model that can do it', async () => {
    expect(await probeFeatures(tiny.parts)).toEqual(FEATURES.filter((feature) => feature !== 'web_search'))
  })

  it('[W35] finds the same on a model that always thinks first', async () => {
    const chat = `${tiny.parts.native.templates.chat!}{{- '<think>\\n' -}}`
    const native = { ...tiny.parts.native, templates: { chat, tools: undefined } }
    const profile = studyModel(native)
    expect(profile.thinking.opensItself).toBe(false)
    expect(await probeFeatures({ ...tiny.parts, native, profile })).toEqual(await probeFeatures(tiny.parts))
  })

  it('[W35] leaves out features that fail', async () => {
    const grammars = { compile: () => Promise.reject(new Error('no grammars here')) }
    const parts = { ...tiny.parts, grammars: grammars as unknown as TinyEngine['parts']['grammars'] }
    expect(await probeFeatures(parts)).toEqual([
      'usage',
      'logprobs',
      'n',
      'logit_bias',
      'reasoning_effort',
      'prefix_scope',
    ])
  })

  it('[W38b] rejects a model that doesn’t reply at all', async () => {
    const native = {
      ...tiny.parts.native,
      createSampler: () => {
        throw new Error('an embedding model')
      },
    }
    await expect(probeFeatures({ ...tiny.parts, native })).rejects.toThrow(/doesn't reply to a simple message/)
  })
})
