import type { Llama, LlamaContext, LlamaModel } from 'node-llama-cpp'
import { describe, expect, it } from 'vitest'
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
    'getSequenceKvCacheMinPosition',
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
      0,
    )
}

describe('the library’s internals', () => {
  it('are accepted if all of them are there', () => {
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
  ])('are rejected by name if %s is missing', (name) => {
    expect(library(name)).toThrow(new RegExp(`its ".*${name}" is missing; install the version`))
  })
})
