import { describe, expect, it } from 'vitest'
import { firstTokenText, fitText, speedText } from './expectation-text.ts'

const fit = { grade: 'gpu', gpuShare: 1, contextTokens: 8192 } as const

function speed(tokensPerSecond: number, isMeasured = false): string | undefined {
  return speedText({ fit, isMeasured, speed: { tokensPerSecond, firstTokenMs: 1 } })
}

describe('what to expect, in words', () => {
  it('has no more digits than an estimate deserves, and tells what was measured', () => {
    expect([0.44, 2.36, 7.6, 12.4, 98.7, 213].map((value) => speed(value))).toEqual([
      'About 0.4 tokens/s',
      'About 2.4 tokens/s',
      'About 8 tokens/s',
      'About 12 tokens/s',
      'About 99 tokens/s',
      'About 210 tokens/s',
    ])
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
})
