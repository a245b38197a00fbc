import { describe, expect, it } from 'vitest'
import { bestMachine } from './device-fit.ts'
import { describeMachine, estimateOn, openMachines } from './device-machine.ts'
import { EIGHT, GB, RYZEN, standInMachine } from './testing/stand-in-machine.ts'

const machine = (more: object = {}) => standInMachine({}, { machine: RYZEN, ...more })

describe('a device as a machine', () => {
  it('has the speeds that were measured, for models whose size is known', () => {
    const models = [
      { name: 'qwen3:8b', tokensPerSecond: 7 },
      { name: 'kept', tokensPerSecond: 9 },
      { name: 'unknown', tokensPerSecond: 11 },
      { name: 'idle', tokensPerSecond: null },
    ]
    const { measured } = standInMachine({ models: [{ name: 'kept', bytes: GB }] }, { machine: RYZEN, models })
    const speeds = measured.map(({ model, tokensPerSecond }) => `${model.name} ${tokensPerSecond}`)
    expect(speeds).toEqual(['qwen3:8b 7', 'kept 9'])
  })

  it('computes on its card, unless the card does not work', () => {
    const withCard = { ...RYZEN, gpu: 'NVIDIA GeForce RTX 4090' }
    expect(machine({ machine: withCard }).facts.gpu).toBe('NVIDIA GeForce RTX 4090')
    expect(machine({ machine: withCard, backend: { name: 'cpu', card: null } }).facts.gpu).toBeUndefined()
    expect(machine({ backend: { name: 'vulkan', card: 'AMD GPU' } }).facts.gpu).toBe('AMD GPU')
  })

  it('has no speed to expect if its app does not describe it, except for one that was measured', () => {
    expect(estimateOn(machine(), EIGHT).speed).toBeDefined()
    expect(estimateOn(machine({ machine: null }), EIGHT).speed).toBeUndefined()
    const models = [{ name: 'qwen3:8b', tokensPerSecond: 7 }]
    expect(estimateOn(machine({ machine: null, models }), EIGHT).speed?.tokensPerSecond).toBe(7)
  })

  it('is described in a few words', () => {
    expect(describeMachine(machine())).toBe('AMD Ryzen 7 5800X 8-Core Processor, 16 cores, 30 GB of memory')
    const mac = { processor: 'Apple M2 Pro', cores: 12, memoryBytes: 32 * GB, gpu: 'Apple GPU' }
    expect(describeMachine(machine({ machine: mac }))).toBe('Apple M2 Pro, 30 GB of memory')
    expect(describeMachine(machine({ machine: null }))).toBe('')
  })

  it('is the best one if it is the fastest that is not paused', () => {
    const fast = { machine: { ...RYZEN, gpu: 'NVIDIA H200' } }
    const all = [
      machine({ name: 'slow' }),
      machine({ name: 'fast', ...fast }),
      machine({ name: 'paused', ...fast, isPaused: true }),
      machine({ name: 'silent', machine: null }),
    ]
    expect(bestMachine(all)?.device.name).toBe('fast')
    expect(bestMachine([])).toBeUndefined()
  })

  it('takes models only while it is online and its owner allows it', () => {
    const all = [
      machine(),
      machine({ state: 'offline' }),
      machine({ library: null }),
      machine({ library: { isOpen: false } }),
    ]
    expect(openMachines(all)).toEqual([all[0]])
  })
})
