import { describe, expect, it } from 'vitest'
import { fitOn } from './fit.ts'
import type { ModelFacts } from './model-facts.ts'

const GB = 1e9
const GIB = 2 ** 30
const card = { gpu: 'NVIDIA GeForce RTX 3060', gpuMemoryBytes: 12 * GIB, memoryBytes: 16 * GIB }

function model(gigabytes: number, more: Partial<ModelFacts> = {}): ModelFacts {
  const bytes = gigabytes * GB
  return { name: 'model', bytes, parameters: 8, activeParameters: 8, contextBytesPerToken: 150_000, ...more }
}

describe('whether a model fits', () => {
  it('is best on the GPU, with a context of 8K', () => {
    expect(fitOn(card, model(5))).toEqual({ grade: 'gpu', gpuShare: 1, contextTokens: 8192 })
  })

  it('may fit the GPU with a shorter context only', () => {
    const fit = fitOn(card, model(10.2))
    expect(fit).toMatchObject({ grade: 'short-context', gpuShare: 1 })
    expect(fit.grade === 'too-large' ? 0 : fit.contextTokens).toBeLessThan(8192)
    expect(fit.grade === 'too-large' ? 0 : fit.contextTokens).toBeGreaterThanOrEqual(4096)
  })

  it('may need the memory of the machine, and then the processor computes a part', () => {
    const fit = fitOn(card, model(16))
    expect(fit.grade).toBe('cpu')
    expect(fit.grade === 'cpu' && fit.gpuShare).toBeGreaterThan(0.5)
    expect(fit.grade === 'cpu' && fit.gpuShare).toBeLessThan(0.7)
    expect(fitOn({ memoryBytes: 16 * GIB }, model(5))).toEqual({ grade: 'cpu', gpuShare: 0, contextTokens: 8192 })
  })

  it('says how much memory or disk space is missing', () => {
    expect(fitOn({ roomBytes: 4 * GB }, model(5, { contextBytesPerToken: 0 }))).toEqual({
      grade: 'too-large',
      lacks: 'memory',
      missingBytes: 1.2 * GB,
    })
    expect(fitOn({ ...card, diskFreeBytes: 5 * GB }, model(5))).toEqual({
      grade: 'too-large',
      lacks: 'disk',
      missingBytes: 0.5 * GB,
    })
  })

  it('expects no longer context than the model was trained for', () => {
    expect(fitOn(card, model(5, { contextLength: 4096 }))).toMatchObject({ grade: 'gpu', contextTokens: 4096 })
  })
})
