import { describe, expect, it } from 'vitest'
import { TINY_MODEL_PATH } from '../testing/tiny-model.ts'
import { checkDistribution, proveBackend } from './prove-backend.ts'

const options = { gpu: false, modelPath: TINY_MODEL_PATH, question: 'What is the capital of Italy?' } as const

describe('the proof of a back end', () => {
  it('is refuted by distributions that no working kernel gives', () => {
    const distribution = (...values: number[]) => new Map(values.map((value, token) => [token as never, value]))
    expect(() => checkDistribution(distribution(0.7, 0.2, 0.1))).not.toThrow()
    expect(() => checkDistribution(distribution(Number.NaN, Number.NaN))).toThrow('wrong result')
    expect(() => checkDistribution(distribution(0.5, 0.5))).toThrow('wrong result')
  })

  it('says which library a back end lacks', async () => {
    const library = '/nowhere/libggml-cuda.so'
    await expect(proveBackend({ ...options, gpu: 'cuda', library, answer: '' })).rejects.toThrow(library)
  })
})
