import { describe, expect, it } from 'vitest'
import { MODEL_LIST } from '../list/model-list.ts'
import { estimate } from './estimate.ts'
import type { MachineFacts } from './machine-facts.ts'
import { factsOf } from './model-facts.ts'
import { recommend } from './recommend.ts'

const GIB = 2 ** 30
const models = MODEL_LIST.map(factsOf)

function names(machine: MachineFacts): (string | undefined)[] {
  const { recommended, fast } = recommend(machine, models)
  return [recommended?.name, fast?.name]
}

const MACHINES: Record<string, MachineFacts> = {
  'a 4 GB laptop': { processor: 'Intel(R) Celeron(R) N4020', cores: 2, memoryBytes: 4 * GIB },
  'a small server': { processor: 'Intel(R) Xeon(R) Processor', cores: 2, memoryBytes: 23.5 * GIB },
  'an old desktop': { processor: 'AMD Ryzen 7 5800X 8-Core Processor', cores: 16, memoryBytes: 32 * GIB },
  'a MacBook Air': { processor: 'Apple M2', cores: 8, memoryBytes: 16 * GIB, gpu: 'Apple GPU' },
  'a Mac Studio': { processor: 'Apple M2 Max', cores: 12, memoryBytes: 64 * GIB, gpu: 'Apple GPU' },
  'a gaming PC': { cores: 16, memoryBytes: 32 * GIB, gpu: 'NVIDIA GeForce RTX 4070', gpuMemoryBytes: 12 * GIB },
  'a large card': { cores: 32, memoryBytes: 64 * GIB, gpu: 'NVIDIA GeForce RTX 4090', gpuMemoryBytes: 24 * GIB },
  'a GPU server': { cores: 16, memoryBytes: 128 * GIB, gpu: 'NVIDIA H200' },
}

describe('what to recommend', () => {
  it('is the best model that is pleasant to use, and a faster one', () => {
    expect(Object.entries(MACHINES).map(([name, machine]) => [name, ...names(machine)])).toEqual([
      ['a 4 GB laptop', 'qwen3:0.6b', undefined],
      ['a small server', 'qwen3:1.7b', 'qwen3:0.6b'],
      ['an old desktop', 'qwen3.5:35b', 'qwen3:0.6b'],
      ['a MacBook Air', 'gemma4:12b', 'qwen3:1.7b'],
      ['a Mac Studio', 'gemma4:31b', 'gemma4:12b'],
      ['a gaming PC', 'gemma4:12b', 'gemma4:e4b'],
      ['a large card', 'gemma4:31b', 'gemma4:12b'],
      ['a GPU server', 'gemma4:31b', 'gpt-oss:120b'],
    ])
  })

  it('is never slower than 5 tokens/s, and always fits with a context of 8K', () => {
    for (const machine of Object.values(MACHINES)) {
      const { recommended, fast } = recommend(machine, models)
      for (const model of [recommended, fast].filter((one) => one !== undefined)) {
        const { fit, speed } = estimate(machine, model)
        expect(fit).toMatchObject({ contextTokens: 8192 })
        expect(speed?.tokensPerSecond).toBeGreaterThanOrEqual(5)
      }
    }
  })

  it('is nothing on a machine that is too small for all of them', () => {
    expect(recommend({ memoryBytes: GIB / 2 }, models)).toEqual({})
    expect(recommend({ ...MACHINES['a GPU server'], diskFreeBytes: 1e8 }, models)).toEqual({})
  })

  it('is no model for a special purpose', () => {
    const special = models.filter(({ isAllRounder }) => isAllRounder !== true)
    expect(recommend(MACHINES['a GPU server'] ?? {}, special)).toEqual({})
  })

  it('does not depend on the memory that happens to be free', () => {
    const machine = MACHINES['a small server'] ?? {}
    expect(recommend({ ...machine, roomBytes: GIB }, models)).toEqual(recommend(machine, models))
  })

  it('offers no faster model that is hardly faster', () => {
    const [one] = models.filter(({ isAllRounder }) => isAllRounder)
    if (one === undefined) throw new Error('The list has no all-rounder')
    const twin = { ...one, name: 'twin', parameters: one.parameters * 2, activeParameters: one.activeParameters * 2 }
    const { recommended, fast } = recommend(MACHINES['a GPU server'] ?? {}, [one, twin])
    expect([recommended?.name, fast]).toEqual(['twin', undefined])
  })
})
