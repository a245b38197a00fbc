import { describe, expect, it } from 'vitest'
import { findListed, findListedQuant } from './find-listed.ts'
import { MODEL_LIST } from './list/model-list.ts'

describe('findListed', () => {
  it.each([
    ['qwen3:8b', 'qwen3:8b'],
    ['Qwen3:8B', 'qwen3:8b'],
    ['qwen3', 'qwen3:8b'],
    ['qwen3:latest', 'qwen3:8b'],
    ['Qwen/Qwen3-8B', 'qwen3:8b'],
    ['smollm2-135m-instruct', 'smollm2:135m'],
  ])('finds %s as %s', (text, name) => {
    expect(findListed(text)?.name).toBe(name)
  })

  it.each([
    ['qwen3:8b-q4_k_m', 'qwen3:8b', 'Q4_K_M'],
    ['qwen3-8b-q8_0', 'qwen3:8b', 'Q8_0'],
    ['qwen3:8b-UD-Q4_K_XL', 'qwen3:8b', 'UD-Q4_K_XL'],
    ['gpt-oss:20b-mxfp4', 'gpt-oss:20b', 'MXFP4'],
    ['qwen3:8b', 'qwen3:8b', undefined],
  ])('finds %s with its quantization', (text, name, quant) => {
    const found = findListedQuant(text)
    expect(found?.model.name).toBe(name)
    expect(found?.quant).toBe(quant)
  })

  it('finds nothing for a name that is not in the list', () => {
    expect(findListed('qwen9:8b')).toBeUndefined()
    expect(findListedQuant('qwen9:8b-q4_k_m')).toBeUndefined()
  })
})

describe('the list', () => {
  it('has about 25 models from half a billion to 120 billion parameters', () => {
    expect(MODEL_LIST.length).toBeGreaterThanOrEqual(25)
    expect(MODEL_LIST.at(-1)!.parameters).toBeGreaterThan(100)
  })

  it('gives no name to two models', () => {
    const names = MODEL_LIST.flatMap(({ name, aliases }) => [name, ...aliases]).map((name) => name.toLowerCase())
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
  })

  it.each(MODEL_LIST.map((model) => [model.name, model] as const))('has sizes for %s, smallest first', (_, model) => {
    const sizes = model.quantizations.map(({ bytes }) => bytes)
    expect(sizes.length).toBeGreaterThan(0)
    expect(sizes).toEqual(sizes.toSorted((a, b) => a - b))
    // Between 3 and 9 bits per parameter, with room for the parts that are kept larger.
    const bits = (sizes[0]! * 8) / (model.parameters * 1e9)
    expect(bits).toBeGreaterThan(3.5)
    expect(bits).toBeLessThan(9)
  })
})
