import { findListed } from '@hearth/model-list'
import { describe, expect, it } from 'vitest'
import { GIB, type MachineMemory } from '../../engines/llama/plan/machine-memory.ts'
import { createJudge, measureMachine } from './judge-fit.ts'

const never = new AbortController().signal
const CARD = { kind: 'cuda', total: 24 * GIB, free: 1 * GIB, isUnified: false } as const

function laptop(gib: number, available = gib / 2): MachineMemory {
  return { ram: { total: gib * GIB, available: available * GIB }, cores: 4 }
}

function judge(machine: MachineMemory, name: string, quant: string) {
  const { quantizations, contextBytesPerToken, contextLength } = findListed(name)!
  const { bytes } = quantizations.find((quantization) => quantization.name === quant)!
  return createJudge(machine)({ bytes, contextBytesPerToken, contextLength })
}

describe('createJudge', () => {
  it.each([
    [laptop(16), 'qwen3:8b', 'Q4_K_M', true],
    [laptop(8), 'qwen3:8b', 'Q8_0', false],
    [laptop(4), 'qwen3:1.7b', 'Q4_K_M', true],
    [laptop(16), 'qwen3:32b', 'Q4_K_M', false],
    [laptop(64), 'llama3.3:70b', 'Q4_K_M', true],
    [laptop(64), 'gpt-oss:120b', 'MXFP4', false],
    // Other models are in memory right now.
    [laptop(16, 2), 'qwen3:8b', 'Q4_K_M', true],
    [{ ...laptop(8), gpu: CARD }, 'qwen3:32b', 'Q4_K_M', true],
  ])('judges by the memory that the machine has: %o %s %s', (machine, name, quant, isFitting) => {
    expect(judge(machine, name, quant).fits).toBe(isFitting)
  })

  it('says how much memory is missing', () => {
    const small = judge(laptop(16), 'qwen3:32b', 'Q4_K_M')
    const smaller = judge(laptop(8), 'qwen3:32b', 'Q4_K_M')
    const [a, b] = [small, smaller].map((fit) => (fit.fits ? 0 : fit.missingBytes / GIB))
    expect(a).toBeGreaterThan(5)
    expect(a).toBeLessThan(12)
    expect(b! - a!).toBeCloseTo(8 * 0.8 - 0.4, 0)
  })
})

describe('measureMachine', () => {
  it('counts on the machine itself if no back end can be asked', async () => {
    const machine = await measureMachine(() => Promise.reject(new Error('none works')), never)
    expect(machine.ram.total).toBeGreaterThan(0)
    expect(machine.gpu).toBeUndefined()
  })
})
