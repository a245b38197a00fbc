import type { Llama, LlamaContext, LlamaModel } from 'node-llama-cpp'
import { describe, expect, it } from 'vitest'
import { chooseContextLength } from './context-length.ts'
import { toNative } from './native.ts'

const methods = (...names: string[]) => Object.fromEntries(names.map((name) => [name, () => undefined]))

const grammarMethods = ['acceptGrammarEvaluationStateToken', 'canBeNextTokenForGrammarEvaluationState']

/** The parts of the library that are checked, without the one with this name. */
function library(missing?: string) {
  const sampler = Object.assign(() => undefined, methods(...grammarMethods))
  const bindings = {
    AddonSampler: sampler,
    AddonGrammarEvaluationState: () => undefined,
    AddonJinjaRenderer: () => undefined,
    AddonContextSequenceCheckpoint: () => undefined,
  }
  const model = methods('tokenize', 'getTokenString', 'getTokenAttributes', 'isEogToken')
  const context = methods(
    'initBatch',
    'addToBatch',
    'decodeBatch',
    'sampleToken',
    'removeTokenCellsFromSequence',
    'disposeSequence',
    'copySequenceStateFromOtherSequence',
    'restoreCheckpoint',
  )
  for (const part of [bindings, model, context, sampler])
    if (missing !== undefined) Reflect.deleteProperty(part, missing)
  return () =>
    toNative(
      { _bindings: bindings } as unknown as Llama,
      {
        _model: model,
        fileInfo: { metadata: {} },
        fileInsights: {},
        tokens: {},
        iterateAllTokens: () => [],
      } as unknown as LlamaModel,
      { _ctx: context } as unknown as LlamaContext,
    )
}

describe('the library’s internals', () => {
  it('[W39] are accepted if all of them are there', () => {
    expect(library()).not.toThrow()
  })

  it.each([
    'decodeBatch',
    'copySequenceStateFromOtherSequence',
    'getTokenString',
    'AddonJinjaRenderer',
    'AddonContextSequenceCheckpoint',
    'restoreCheckpoint',
    ...grammarMethods,
  ])('[W39] are rejected by name if %s is missing', (name) => {
    expect(library(name)).toThrow(new RegExp(`its ".*${name}" is missing; install the version`))
  })
})

describe('chooseContextLength', () => {
  const perToken = (bytes: number, free: number) => (length: number) =>
    Promise.resolve({ bytes: bytes * length, free, gpuBytes: 0, gpuFree: 0 })

  it('[W40] takes what the model was trained for, up to a sensible length', async () => {
    expect(await chooseContextLength(2048, perToken(1, 1e9))).toBe(2048)
    expect(await chooseContextLength(131_072, perToken(1, 1e9))).toBe(8192)
  })

  it('[W40a] leaves half of the free memory alone', async () => {
    expect(await chooseContextLength(32_768, perToken(1000, 8_500_000))).toBe(4096)
    expect(await chooseContextLength(32_768, perToken(1000, 10))).toBe(1024)
  })

  it('[W40b] stays within the memory of the GPU', async () => {
    const need = (length: number) => Promise.resolve({ bytes: 0, free: 1e9, gpuBytes: length, gpuFree: 4000 })
    expect(await chooseContextLength(32_768, need)).toBe(3072)
  })
})
