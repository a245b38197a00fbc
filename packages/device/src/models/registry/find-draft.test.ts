import { describe, expect, it } from 'vitest'
import { findDraft } from './find-draft.ts'
import type { ModelEntry } from './registry.ts'

const entry = (name: string, rest: Partial<ModelEntry> = {}): ModelEntry => ({
  name,
  path: `/models/${name}.gguf`,
  source: name,
  bytes: 1,
  ...rest,
})
const large = entry('qwen3:8b')
const small = entry('qwen3:1.7b')
const smallest = entry('qwen3:0.6b')

describe('the draft of a model', () => {
  it('is the best listed one that is on this machine', () => {
    expect(findDraft(large, [large, small, smallest], 'auto')).toEqual({ kind: 'found', entry: smallest })
    expect(findDraft(large, [large, small], 'auto')).toEqual({ kind: 'found', entry: small })
  })

  it('is found for a model with another name or a quantization by its source', () => {
    const renamed = entry('chat', { source: 'qwen3:8b-q8_0' })
    expect(findDraft(renamed, [renamed, smallest], 'auto')).toEqual({ kind: 'found', entry: smallest })
  })

  it('is none if no listed one is here, or the model is not listed', () => {
    expect(findDraft(large, [large, entry('llama3.2:1b')], 'auto')).toEqual({ kind: 'none' })
    expect(findDraft(entry('mine'), [smallest], 'auto')).toEqual({ kind: 'none' })
  })

  it('is none if the owner wants none, for all models or for this one', () => {
    expect(findDraft(large, [large, smallest], 'off')).toEqual({ kind: 'none' })
    expect(findDraft({ ...large, draft: 'off' }, [large, smallest], 'auto')).toEqual({ kind: 'none' })
  })

  it('is the one that the owner names, first of all for this model', () => {
    const own = { ...large, draft: 'qwen3:1.7b' }
    expect(findDraft(own, [own, small, smallest], 'qwen3:0.6b')).toEqual({ kind: 'found', entry: small })
    expect(findDraft(entry('mine'), [small], 'qwen3:1.7b')).toEqual({ kind: 'found', entry: small })
  })

  it('is not the model itself, and the owner hears of it if they named it for this model', () => {
    expect(findDraft(small, [small], 'qwen3:1.7b')).toEqual({ kind: 'none' })
    const own = { ...small, draft: 'qwen3:1.7b' }
    expect(findDraft(own, [own], 'auto')).toMatchObject({ kind: 'unusable', why: expect.stringContaining('itself') })
  })

  it('has to be on this machine', () => {
    expect(findDraft({ ...large, draft: 'qwen3:0.6b' }, [large], 'auto')).toEqual({
      kind: 'unusable',
      why: 'it is not on this machine → hearth-device models pull qwen3:0.6b',
    })
  })
})
