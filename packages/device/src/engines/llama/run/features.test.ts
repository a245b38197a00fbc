import { join } from 'node:path'
import { FEATURES } from '@hearth/protocol'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { scratchFolder } from '../../../testing/scratch-folder.ts'
import { findFeatures } from './features.ts'
import { studyHere } from '../testing/study-here.ts'
import { writeRandomLlama, type RandomLlama } from '../testing/random-llama.ts'
import { greedy, openTinyEngine, type TinyEngine } from '../testing/tiny-engine.ts'

/** The device adds the other two to its models, whatever the engine can do. */
const ALL = FEATURES.filter((feature) => feature !== 'web_search' && feature !== 'sealed')

let tiny: TinyEngine
beforeAll(async () => {
  tiny = await openTinyEngine({ slots: 2, contextLength: 512 })
})
afterAll(() => tiny.close())

async function openRandom(model: RandomLlama): Promise<TinyEngine> {
  const path = join(scratchFolder(), 'random.gguf')
  writeRandomLlama(path, model)
  const engine = await openTinyEngine({ path, slots: 1, contextLength: 512 })
  onTestFinished(() => engine.close())
  return engine
}

describe('findFeatures', () => {
  it('finds everything on a trained model', async () => {
    expect(await findFeatures(tiny.parts)).toEqual(ALL)
  })

  it('finds the same on a model that always thinks first', async () => {
    const chat = `${tiny.parts.native.templates.chat!}{{- '<think>\\n' -}}`
    const native = { ...tiny.parts.native, templates: { chat, tools: undefined } }
    const profile = studyHere(native)
    expect(profile.thinking.opensItself).toBe(false)
    expect(await findFeatures({ ...tiny.parts, native, profile })).toEqual(ALL)
  })

  it.each([1, 2, 3])('finds everything on a model with random weights (seed %i)', async (seed) => {
    const { parts } = await openRandom({ seed })
    expect(await findFeatures(parts)).toEqual(ALL)
  })

  it('finds everything on a model that ends its replies at once', async () => {
    const random = await openRandom({ first: '<|im_end|>' })
    expect((await random.ask('Hi')).usage).toMatchObject({ completionTokens: 0 })
    expect(await findFeatures(random.parts)).toEqual(ALL)
  })

  it('finds everything on a model whose replies begin with bytes that aren’t text', async () => {
    const random = await openRandom({ first: 'ÿ' })
    expect((await random.ask(greedy('Hi', { maxTokens: 2 }))).texts).toEqual(['\uFFFD\uFFFD'])
    expect(await findFeatures(random.parts)).toEqual(ALL)
  })

  it('[F69] [W12] does what it announces on a model with random weights', async () => {
    const random = await openRandom({ seed: 7 })
    const responseFormat = { type: 'json_schema', name: 'x', schema: { enum: ['red', 'blue'] } } as const
    expect((await random.ask(greedy('Hi', { responseFormat }))).texts[0]).toMatch(/^"(red|blue)"$/)
    const [letter] = random.parts.native.vocabulary.tokenize('A', false) as [number]
    const biased = await random.ask(
      greedy('Hi', { logitBias: { [letter]: 100 }, maxTokens: 3, n: 2, logprobs: { top: 2 } }),
    )
    expect(biased.texts).toEqual(['AAA', 'AAA'])
    expect(biased.logprobs.every(({ top }) => top.length === 2)).toBe(true)
  })

  it('finds tools on a model without a template, because the prompt explains them', async () => {
    const native = { ...tiny.parts.native, templates: { chat: undefined, tools: undefined } }
    const parts = { ...tiny.parts, native, profile: studyHere(native) }
    expect(await findFeatures(parts)).toEqual(ALL)
  })

  it('leaves out what needs grammars if they can’t be compiled', async () => {
    const grammars = { compile: () => Promise.reject(new Error('no grammars here')) }
    const parts = { ...tiny.parts, grammars: grammars as unknown as TinyEngine['parts']['grammars'] }
    expect(await findFeatures(parts)).toEqual([
      'usage',
      'logprobs',
      'n',
      'logit_bias',
      'reasoning_effort',
      'prefix_scope',
      'resume',
    ])
  })

  it('leaves out what is switched off', async () => {
    expect(await findFeatures(tiny.parts, ['tools', 'n'])).toEqual(
      ALL.filter((name) => name !== 'tools' && name !== 'n'),
    )
  })

  it('rejects a model that doesn’t reply at all', async () => {
    const native = {
      ...tiny.parts.native,
      createSampler: () => {
        throw new Error('an embedding model')
      },
    }
    await expect(findFeatures({ ...tiny.parts, native })).rejects.toThrow(/doesn't reply to a simple message/)
  })

  it('rejects a model whose template can’t render a simple message', async () => {
    const templates = { chat: "{{ raise_exception('never') }}", tools: undefined }
    const native = { ...tiny.parts.native, templates }
    const parts = { ...tiny.parts, native, profile: studyHere(native) }
    await expect(findFeatures(parts)).rejects.toThrow(/doesn't reply to a simple message/)
  })

  it('[U53] rejects a model whose results are not numbers', async () => {
    const { parts } = await openRandom({ broken: Number.NaN })
    await expect(findFeatures(parts)).rejects.toThrow(/computes nonsense: the results are not numbers/)
  })
})
