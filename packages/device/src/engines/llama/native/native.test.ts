import type { Llama, LlamaContext, LlamaModel } from 'node-llama-cpp'
import { describe, expect, it } from 'vitest'
import { toNative } from './native.ts'

/** A part of the library with all that anybody looks for, except for what has this name. */
function allBut(missing: string | undefined): object {
  return new Proxy(() => undefined, { get: (_, name) => (name === missing ? undefined : allBut(missing)) })
}

const MODEL = { fileInfo: { metadata: {} }, fileInsights: {}, tokens: {}, iterateAllTokens: () => [] }

function wrap(missing?: string) {
  const llama = { _bindings: allBut(missing) } as unknown as Llama
  const model = { ...MODEL, _model: allBut(missing) } as unknown as LlamaModel
  const context = { _ctx: allBut(missing) } as unknown as LlamaContext
  return () => toNative(llama, model, context, 0)
}

describe('the library’s internals', () => {
  it('are accepted if all of them are there', () => {
    expect(wrap()).not.toThrow()
  })

  it.each([
    'decodeBatch',
    'copySequenceStateFromOtherSequence',
    'getTokenString',
    'AddonJinjaRenderer',
    'AddonContextSequenceCheckpoint',
    'restoreCheckpoint',
    'acceptGrammarEvaluationStateToken',
    'canBeNextTokenForGrammarEvaluationState',
  ])('are rejected by name if %s is missing', (name) => {
    expect(wrap(name)).toThrow(new RegExp(`its ".*${name}" is missing; install the version`))
  })
})
