import { describe, expect, it } from 'vitest'
import { MODEL_LIST } from '../list/model-list.ts'
import { factsOf } from './model-facts.ts'
import { isSlow } from './recommend.ts'
import { firstTokenText, fitText, reasonFor, speedText } from './words.ts'

const fit = { grade: 'gpu', gpuShare: 1, contextTokens: 8192 } as const

function speed(tokensPerSecond: number, isMeasured = false): string | undefined {
  return speedText({ fit, isMeasured, speed: { tokensPerSecond, firstTokenMs: 1 } })
}

describe('what to expect, in words', () => {
  it('has no more digits than an estimate deserves, and tells what was measured', () => {
    const speeds = [0.44, 2.36, 7.6, 12.4, 98.7, 213].map((value) => speed(value))
    expect(speeds).toEqual(['0.4', '2.4', '8', '12', '99', '210'].map((number) => `About ${number} tokens/s`))
    expect(speed(10.8, true)).toBe('Measured 11 tokens/s')
    expect(speedText({ fit, isMeasured: false })).toBeUndefined()
  })

  it('says how long the first token takes', () => {
    const texts = [40, 380, 2_400, 21_300, 150_000].map((firstTokenMs) =>
      firstTokenText({ tokensPerSecond: 1, firstTokenMs }),
    )
    expect(texts).toEqual(['about 0.1 s', 'about 0.4 s', 'about 2.4 s', 'about 21 s', 'about 3 min'])
  })

  it('says how a model fits, or what is missing', () => {
    expect(fitText(fit)).toBe('Fits the GPU')
    expect(fitText({ ...fit, grade: 'short-context', contextTokens: 6_800 })).toBe('Fits the GPU with 6K of context')
    expect(fitText({ ...fit, grade: 'cpu', gpuShare: 0.4 })).toBe('Runs partly on the processor')
    expect(fitText({ ...fit, grade: 'cpu', gpuShare: 0 })).toBe('Runs on the processor')
    expect(fitText({ grade: 'too-large', lacks: 'disk', missingBytes: 2e9 })).toBe('Needs 2.0 GB more disk space')
  })

  it('calls a model slow by the number it shows', () => {
    expect([4.4, 4.6].map((value) => [speed(value), isSlow({ tokensPerSecond: value, firstTokenMs: 1 })])).toEqual([
      ['About 4 tokens/s', true],
      ['About 5 tokens/s', false],
    ])
  })

  it('gives the reason for a recommendation', () => {
    const small = MODEL_LIST.map(factsOf).find(({ name }) => name === 'qwen3:1.7b')
    const server = { processor: 'Intel(R) Xeon(R) Processor', cores: 2, memoryBytes: 23.5 * 2 ** 30 }
    const reason = 'Fits in memory with room for 4 conversations of 8K, about 9 tokens/s'
    expect(small && reasonFor(server, small)).toBe(reason)
    expect(small && reasonFor({ ...server, roomBytes: 3e9 }, small)).toBe(reason)
    expect(small && reasonFor({ gpu: 'NVIDIA GeForce RTX 4070' }, small)).toMatch(/^Fits the GPU with room for 4/)
  })
})
