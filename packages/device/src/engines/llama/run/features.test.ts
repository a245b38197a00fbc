import { FEATURES, type Feature } from '@hearth/protocol'
import { describe, expect, it, onTestFinished } from 'vitest'
import { findFeatures } from './features.ts'
import { studyHere } from '../testing/study-here.ts'
import { placeRandomLlama, type RandomLlama } from '../testing/random-llama.ts'
import { greedy, openTinyEngine, type TinyEngine, useTinyEngine } from '../testing/tiny-engine.ts'

/** The device adds the other two to its models, whatever the engine can do. */
const ALL = FEATURES.filter((feature) => feature !== 'web_search' && feature !== 'sealed')

const tiny = await useTinyEngine({ slots: 2, contextLength: 512 })

async function openRandom(model: RandomLlama): Promise<TinyEngine> {
  const path = placeRandomLlama(model)
  const engine = await openTinyEngine({ path, slots: 1, contextLength: 512 })
  onTestFinished(() => engine.close())
  return engine
}

/** The tiny model with another template. */
function withTemplate(chat: string | undefined): TinyEngine['parts'] {
  const native = { ...tiny.parts.native, templates: { chat, tools: undefined } }
  return { ...tiny.parts, native, profile: studyHere(native) }
}

describe('findFeatures', () => {
  it('finds everything on a trained model', async () => {
    expect(await findFeatures(tiny.parts)).toEqual(ALL)
  })

  it('finds the same on a model that always thinks first', async () => {
    const parts = withTemplate(`${tiny.parts.native.templates.chat!}{{- '<think>\\n' -}}`)
    expect(parts.profile.thinking.opensItself).toBe(false)
    expect(await findFeatures(parts)).toEqual(ALL)
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
    expect(await findFeatures(withTemplate(undefined))).toEqual(ALL)
  })

  it('leaves out what needs grammars if they can’t be compiled', async () => {
    const grammars = { compile: () => Promise.reject(new Error('no grammars here')) }
    const parts = { ...tiny.parts, grammars: grammars as unknown as TinyEngine['parts']['grammars'] }
    const needy: readonly Feature[] = ['json_object', 'json_schema', 'tools']
    expect(await findFeatures(parts)).toEqual(ALL.filter((feature) => !needy.includes(feature)))
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
    await expect(findFeatures(withTemplate("{{ raise_exception('never') }}"))).rejects.toThrow(
      /doesn't reply to a simple message/,
    )
  })
})
