import { join } from 'node:path'
import { FEATURES } from '@hearth/protocol'
import { describe, expect, it, onTestFinished } from 'vitest'
import { scratchFolder } from '@hearth/command-line/testing/scratch-folder'
import { findFeatures } from './features.ts'
import { studyHere } from '../testing/study-here.ts'
import { writeRandomLlama, type RandomLlama } from '../testing/random-llama.ts'
import { greedy, openTinyEngine, type TinyEngine } from '../testing/tiny-engine.ts'
import { useTinyEngine } from '../testing/use-tiny.ts'

/** The device adds the other two to its models, whatever the engine can do. */
const ALL = FEATURES.filter((feature) => feature !== 'web_search' && feature !== 'sealed')

const tiny = await useTinyEngine({ slots: 2, contextLength: 512 })

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

  it.each<[string, RandomLlama, string | RegExp]>([
    ['writes nonsense', { seed: 1 }, /./],
    ['ends its replies at once', { first: '<|im_end|>' }, ''],
    ['begins its replies with bytes that aren’t text', { first: 'ÿ' }, '\uFFFD\uFFFD'],
  ])('finds everything on a model that %s', async (_, model, written) => {
    const random = await openRandom(model)
    const { text } = await random.ask(greedy('Hi', { maxTokens: 2 }))
    if (typeof written === 'string') expect(text).toBe(written)
    else expect(text).toMatch(written)
    expect(await findFeatures(random.parts)).toEqual(ALL)
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
})
