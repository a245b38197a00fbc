import { FEATURES, type ChatJob } from '@hearth/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { HYBRIDS, writeRandomModel } from '../testing/random-models.ts'
import { makeModelFile, type ModelFile } from '../testing/model-file.ts'
import { greedy, openTinyEngine, type TinyEngine } from '../testing/tiny-engine.ts'
import { findFeatures } from './features.ts'

const ask = (city: string): ChatJob['messages'] => [{ role: 'user', content: `${`${city} Rome `.repeat(60)}Hello` }]

describe.each(HYBRIDS)('a job on a hybrid model (%s)', (architecture) => {
  let file: ModelFile
  let engine: TinyEngine
  let header: number
  beforeAll(async () => {
    file = makeModelFile((path) => writeRandomModel(path, architecture))
    engine = await openTinyEngine({ path: file.path, slots: 3, contextLength: 1024 })
    header = engine.parts.native.vocabulary.tokenize('<|im_start|>assistant\n', true).length
  })
  afterAll(async () => {
    await engine.close()
    file.remove()
  })

  it('has all features', async () => {
    expect(await findFeatures(engine.parts)).toEqual(
      FEATURES.filter((feature) => feature !== 'web_search' && feature !== 'sealed'),
    )
  })

  it('[W31] reuses the previous turn, whatever the reply became', async () => {
    const question = ask('Cairo')
    const first = await engine.ask({ messages: question, maxTokens: 20 })
    const reply = { role: 'assistant', content: 'Something else.' } as const
    const { usage } = await engine.ask({ messages: [...question, reply, ...question], maxTokens: 1 })
    expect(usage!.cachedTokens).toBe(first.usage!.promptTokens - header)
  })

  it('[I88b] [M52] tells an API key only about its own prompts, and separates them if asked to', async () => {
    const job = greedy('', { messages: ask('Oslo'), maxTokens: 5 })
    const evaluated = async (prefixScope: NonNullable<ChatJob['prefixScope']>) => {
      const before = engine.parts.loop.counts.promptTokens
      const { usage } = await engine.ask({ ...job, prefixScope })
      return { own: usage!.ownCachedTokens, evaluated: engine.parts.loop.counts.promptTokens - before }
    }
    const { evaluated: whole } = await evaluated({ name: 'ann' })
    expect(await evaluated({ name: 'bob' })).toEqual({ own: 0, evaluated: header })
    expect(await evaluated({ name: 'bob' })).toEqual({ own: whole - header, evaluated: header })
    expect(await evaluated({ name: 'cleo', isSeparate: true })).toEqual({ own: 0, evaluated: whole })
    expect(await evaluated({ name: 'cleo', isSeparate: true })).toEqual({ own: whole - header, evaluated: header })
  })
})
