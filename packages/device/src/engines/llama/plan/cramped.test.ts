import { describe, expect, it } from 'vitest'
import type { ModelShape } from '../../../models/gguf/model-shape.ts'
import { isCramped } from './cramped.ts'
import { afterPlan, GIB, withLimit, type MachineMemory } from './machine-memory.ts'
import { weightBytes } from './memory-need.ts'
import { planModel } from './plan-model.ts'
import { REFERENCE_MACHINES } from './reference-machines.ts'
import { REFERENCE_MODELS } from './reference-models.ts'
import { roomForOthers } from './room-for-later.ts'

const machine = (name: string): MachineMemory => REFERENCE_MACHINES.find((other) => other.name === name)!.machine
const shape = (name: string): ModelShape => REFERENCE_MODELS.find((other) => other.name.startsWith(name))!.shape

/** The machine once this model is loaded, and what it takes. */
function load(model: ModelShape, on: MachineMemory, others: readonly ModelShape[] = []) {
  const plan = planModel(model, { ...on, keptForLater: roomForOthers(weightBytes(model), others.map(weightBytes), on) })
  if (!plan.fits) throw new Error('does not fit')
  return { left: afterPlan(on, plan.need), taken: { ram: plan.need.ram, gpu: plan.need.gpu } }
}

const CARD = machine('24 GiB card, 128 GB of RAM')
const LAPTOP = machine('16 GB laptop')

describe('a model beside another', () => {
  it('needs no room if both fit, although it would get more alone', () => {
    const [first, second] = [shape('Llama 3.1 8B'), shape('Gemma 3 4B')]
    const { left, taken } = load(first, CARD, [second])
    expect(planModel(second, CARD)).not.toEqual(planModel(second, left))
    expect(isCramped(second, left, taken, {})).toBe(false)
  })

  it('needs room if it only fits alone', () => {
    const { left, taken } = load(shape('Llama 3.1 8B'), LAPTOP)
    expect(isCramped(shape('Llama 3.1 8B'), left, taken, {})).toBe(true)
  })

  it('needs room if its layers would have to stay off the GPU', () => {
    const { left, taken } = load(shape('Qwen3 32B'), CARD)
    expect(planModel(shape('Llama 3.1 8B'), left).fits).toBe(true)
    expect(isCramped(shape('Llama 3.1 8B'), left, taken, {})).toBe(true)
  })

  it('needs no room if it fits nowhere, or if nobody would make any', () => {
    const { left, taken } = load(shape('Llama 3.2 1B'), LAPTOP)
    expect(isCramped(shape('Llama 3.3 70B'), left, taken, {})).toBe(false)
    expect(isCramped(shape('Llama 3.1 8B'), left, { ram: 0, gpu: 0 }, {})).toBe(false)
  })
})

describe('room for others', () => {
  it('is left only for those that can fit beside it', () => {
    const [small, huge] = [2 * GIB, 60 * GIB]
    const both = roomForOthers(5 * GIB, [huge, small], CARD)
    expect(both).toBe(roomForOthers(5 * GIB, [small], CARD))
    expect(both).toBeGreaterThan(small)
    expect(roomForOthers(5 * GIB, [huge], CARD)).toBe(0)
  })
})

describe('a limit on memory', () => {
  it('makes the machine look as small as that, less what models hold', () => {
    const limited = withLimit(CARD, 8 * GIB, { ram: 1 * GIB, gpu: 3 * GIB })
    expect(limited.ram).toEqual({ total: 8 * GIB, available: 7 * GIB })
    expect(limited.gpu).toMatchObject({ total: 8 * GIB, free: 5 * GIB })
    const mac = withLimit(machine('Apple, 64 GB'), 8 * GIB, { ram: 1 * GIB, gpu: 3 * GIB })
    expect(mac.ram.available).toBe(4 * GIB)
  })

  it('is never more than there is', () => {
    expect(withLimit(LAPTOP, 500 * GIB, { ram: 0, gpu: 0 })).toEqual(LAPTOP)
    expect(withLimit(LAPTOP, 1 * GIB, { ram: 2 * GIB, gpu: 0 }).ram.available).toBe(0)
  })
})
