import { describe, expect, it } from 'vitest'
import { MODEL_LIST } from '../list/model-list.ts'
import { estimate } from './estimate.ts'
import { factsOf, guessFacts } from './model-facts.ts'

const GIB = 2 ** 30
const laptop = { processor: 'AMD Ryzen 7 5800X 8-Core Processor', cores: 16, memoryBytes: 64 * GIB }
const card = { ...laptop, gpu: 'NVIDIA GeForce RTX 3060', gpuMemoryBytes: 12 * GIB }
const models = new Map(MODEL_LIST.map((model) => [model.name, factsOf(model)]))

function listed(name: string) {
  const found = models.get(name)
  if (found === undefined) throw new Error(`The list has no ${name}`)
  return found
}

function speedOn(...[machine, model, measured]: Parameters<typeof estimate>): number {
  return estimate(machine, model, measured).speed?.tokensPerSecond ?? 0
}

describe('what to expect of a model', () => {
  it('is faster on a GPU, and slower the larger the model', () => {
    expect(speedOn(card, listed('qwen3:8b'))).toBeGreaterThan(4 * speedOn(laptop, listed('qwen3:8b')))
    expect(speedOn(laptop, listed('qwen3:4b'))).toBeGreaterThan(1.5 * speedOn(laptop, listed('qwen3:8b')))
  })

  it('is fast if only a part of the parameters works on each token', () => {
    expect(speedOn(laptop, listed('qwen3:30b'))).toBeGreaterThan(6 * speedOn(laptop, listed('qwen3:32b')))
  })

  it('is in between if a part of the model is on the processor', () => {
    const split = speedOn(card, listed('qwen3:32b'))
    expect(split).toBeGreaterThan(speedOn(laptop, listed('qwen3:32b')))
    expect(split).toBeLessThan(speedOn({ ...card, gpuMemoryBytes: 48 * GIB }, listed('qwen3:32b')))
  })

  it('takes longer to the first token where prompts are read slowly', () => {
    const first = (machine: typeof laptop): number => estimate(machine, listed('qwen3:8b')).speed?.firstTokenMs ?? 0
    expect(first(laptop)).toBeGreaterThan(5_000)
    expect(first(card)).toBeLessThan(1_000)
  })

  it('has no speed if it does not fit', () => {
    const { fit, speed } = estimate({ memoryBytes: 8 * GIB }, listed('qwen3:32b'))
    expect(fit.grade).toBe('too-large')
    expect(speed).toBeUndefined()
  })

  it('is the measured speed where there is one', () => {
    const measured = [{ model: listed('qwen3:8b'), tokensPerSecond: 3 }]
    const expected = { isMeasured: true, speed: { tokensPerSecond: 3 } }
    expect(estimate(laptop, listed('qwen3:8b'), measured)).toMatchObject(expected)
  })

  it('does not change with the measured speed of another model', () => {
    const measured = [{ model: listed('smollm2:135m'), tokensPerSecond: 1 }]
    expect(estimate(laptop, listed('qwen3:8b'), measured)).toEqual(estimate(laptop, listed('qwen3:8b')))
  })

  it('guesses the parameters of other models from their name, or from their size', () => {
    const [sparse, dense] = ['Qwen3-30B-A3B-GGUF', 'gemma-3-1.5b-it'].map((name) => guessFacts({ name, bytes: 1e9 }))
    expect(sparse).toMatchObject({ parameters: 30, activeParameters: 3 })
    expect(dense).toMatchObject({ parameters: 1.5, activeParameters: 1.5 })
    expect(guessFacts({ name: 'capitals', bytes: 4.9e9 }).parameters).toBeCloseTo(8)
  })
})
