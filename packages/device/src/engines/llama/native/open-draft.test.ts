import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { writeRandomLlama } from '../testing/random-llama.ts'
import { writeRandomModel } from '../testing/random-models.ts'
import { TINY_MODEL_PATH } from '../testing/tiny-model.ts'
import { loadModel } from './load-model.ts'
import type { Vocabulary } from './native.ts'
import { countDifferent } from './open-draft.ts'

const folder = mkdtempSync(join(tmpdir(), 'hearth-open-draft-'))
afterAll(() => rmSync(folder, { recursive: true }))

const file = (name: string) => join(folder, name)
const load = async (draft: string, path = TINY_MODEL_PATH, rest: { memoryLimit?: number; slots?: number } = {}) => {
  const options = {
    name: 'tiny',
    path,
    threads: 1,
    gpu: false,
    slots: 2,
    draft: { name: 'small', path: draft },
  } as const
  const loaded = (await loadModel({ ...options, ...rest }, AbortSignal.timeout(240_000)))!
  await loaded.native.dispose()
  return loaded
}

describe('a draft', () => {
  it('has as many slots and as much context as the model, and counts as memory of the model', async () => {
    const path = file('llama.gguf')
    writeRandomLlama(path, {})
    const { native, memory, warning } = await load(path)
    expect(warning).toBeUndefined()
    expect(native.draft).toMatchObject({ slots: native.slots, contextLength: native.contextLength })
    const alone = (await loadModel(
      { name: 'tiny', path: TINY_MODEL_PATH, threads: 1, gpu: false, slots: 2 },
      AbortSignal.timeout(240_000),
    ))!
    await alone.native.dispose()
    expect(memory.ram).toBeGreaterThan(alone.memory.ram)
  })

  it('is left out if it is larger than the model', async () => {
    const path = file('smaller.gguf')
    writeRandomLlama(path, {})
    const { native, warning } = await load(TINY_MODEL_PATH, path)
    expect(native.draft).toBeUndefined()
    expect(warning).toBe("can't use small as a draft: it is larger than the model → choose a smaller one")
  })

  it('is left out if it can’t forget guesses', async () => {
    const path = file('mamba.gguf')
    writeRandomModel(path, 'mamba2')
    const { native, warning } = await load(path)
    expect(native.draft).toBeUndefined()
    expect(warning).toContain("this kind of model can't be one")
  })

  it('is left out if the model can’t forget guesses', async () => {
    const path = file('hybrid.gguf')
    writeRandomModel(path, 'lfm2')
    const { native, warning } = await load(path, path)
    expect(native.draft).toBeUndefined()
    expect(warning).toContain("this kind of model can't use one")
  })

  it('is left out if there is not enough memory for both', async () => {
    const enough = await load(TINY_MODEL_PATH, TINY_MODEL_PATH, { slots: 4 })
    expect(enough.warning).toBeUndefined()
    const { native, warning } = await load(TINY_MODEL_PATH, TINY_MODEL_PATH, { slots: 4, memoryLimit: 540e6 })
    expect(native.draft).toBeUndefined()
    expect(warning).toContain('there is not enough memory for both')
  })

  it('is left out if its file is damaged', async () => {
    const { native, warning } = await load(file('nothing.gguf'))
    expect(native.draft).toBeUndefined()
    expect(warning).toContain("can't use small as a draft")
  })
})

describe('countDifferent', () => {
  const of = (texts: readonly string[]): Vocabulary =>
    ({ size: texts.length, text: (token: number) => texts[token] }) as Vocabulary

  it('compares the texts of tokens, and counts those that only one vocabulary has', () => {
    const texts = ['a', 'b', 'c']
    expect(countDifferent(of(texts), of(texts))).toBe(0)
    expect(countDifferent(of(texts), of(['a', 'x', 'c', 'd']))).toBe(2)
  })
})
