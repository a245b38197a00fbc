import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ModelShape } from '../../../models/gguf/model-shape.ts'
import { explainPlan, explainRejection } from './explain.ts'
import { GIB, MIB, gpuReserve, ramReserve, type MachineMemory } from './machine-memory.ts'
import { allLayers, memoryNeed, type Arrangement } from './memory-need.ts'
import { planModel } from './plan-model.ts'
import { planTable } from './plan-table.ts'
import { REFERENCE_MACHINES } from './reference-machines.ts'
import { REFERENCE_MODELS } from './reference-models.ts'
import type { Wishes } from './sizes.ts'

const models = fc.constantFrom(...REFERENCE_MODELS.map(({ shape }) => shape))
const gib = (most: number) => fc.double({ min: 0.3, max: most, noNaN: true }).map((value) => value * GIB)

const machines: fc.Arbitrary<MachineMemory> = fc
  .record({
    total: gib(256),
    share: fc.double({ min: 0.1, max: 1, noNaN: true }),
    cores: fc.integer({ min: 1, max: 64 }),
    gpu: fc.option(
      fc.record({ kind: fc.constantFrom('cuda', 'vulkan', 'metal'), free: gib(140), isUnified: fc.boolean() }),
      { nil: undefined },
    ),
  })
  .map(({ total, share, cores, gpu }) => ({
    ram: { total, available: total * share },
    cores,
    ...(gpu === undefined ? {} : { gpu: { ...gpu, total: gpu.free } }),
  }))

const wishes: fc.Arbitrary<Wishes> = fc.record(
  { slots: fc.integer({ min: 1, max: 64 }), context: fc.integer({ min: 256, max: 200_000 }), gpuLayers: fc.nat(90) },
  { requiredKeys: [] },
)

function isWithin(machine: MachineMemory, { ram, gpu }: { ram: number; gpu: number }): boolean {
  const card = machine.gpu
  const own = ram + (card?.isUnified === true ? gpu : 0)
  // A card whose memory is nearly all taken has less free than its reserve; a model may still run beside it.
  const isCardSpared = card === undefined || gpu === 0 || gpu <= card.free - gpuReserve(card)
  return own <= machine.ram.available - ramReserve(machine) && isCardSpared
}

/** Every way to serve one slot. */
function* oneSlot(shape: ModelShape, context: number, hasGpu: boolean): Generator<Arrangement> {
  for (const cache of ['f16', 'q8_0'] as const)
    for (const keepsOnlyWindow of shape.window > 0 ? [false, true] : [false])
      for (let gpuLayers = 0; gpuLayers <= (hasGpu ? allLayers(shape) : 0); gpuLayers += 1)
        yield { slots: 1, context, cache, keepsOnlyWindow, gpuLayers, batch: Math.min(context, 512) }
}

const named = (name: string): MachineMemory => REFERENCE_MACHINES.find((entry) => entry.name === name)!.machine
const model = (name: string): ModelShape => REFERENCE_MODELS.find((entry) => entry.name.startsWith(name))!.shape

describe('the plan of a model', () => {
  it('is the one in the table, for every model on every machine', async () => {
    expect(REFERENCE_MACHINES.length).toBeGreaterThanOrEqual(20)
    await expect(planTable()).toMatchFileSnapshot('./plans.txt')
  })

  it('never takes more memory than there is, whatever the owner set', () => {
    fc.assert(
      fc.property(models, machines, wishes, (shape, machine, asked) => {
        const plan = planModel(shape, machine, asked)
        if (plan.fits) expect(isWithin(machine, plan.need)).toBe(true)
        expect(plan.need).toEqual(memoryNeed(shape, plan.arrangement))
      }),
    )
  })

  it('has a context of 8,192 tokens if any plan for one slot does', () => {
    fc.assert(
      fc.property(models, machines, (shape, machine) => {
        const worthHaving = Math.min(shape.trainedLength, 8192)
        const ways = [...oneSlot(shape, worthHaving, machine.gpu !== undefined)]
        const isPossible = ways.some((way) => isWithin(machine, memoryNeed(shape, way)))
        const plan = planModel(shape, machine)
        expect(plan.fits && plan.arrangement.context >= worthHaving).toBe(isPossible)
      }),
    )
  })

  it('never gets worse with more memory', () => {
    const more = fc.double({ min: 1, max: 3, noNaN: true })
    fc.assert(
      fc.property(models, machines, wishes, more, more, (shape, machine, asked, ofRam, ofGpu) => {
        const { ram, gpu } = machine
        const larger: MachineMemory = {
          ...machine,
          ram: { ...ram, available: ram.available * ofRam },
          ...(gpu === undefined ? {} : { gpu: { ...gpu, free: gpu.free * ofGpu } }),
        }
        const [before, after] = [planModel(shape, machine, asked), planModel(shape, larger, asked)]
        expect(after.fits ? after.rank : -1).toBeGreaterThanOrEqual(before.fits ? before.rank : -1)
      }),
    )
  })

  it('leaves the owner half of the memory that the weights leave, beyond one slot of 8,192 tokens', () => {
    fc.assert(
      fc.property(models, machines, (shape, machine) => {
        const plan = planModel(shape, machine)
        if (!plan.fits || (machine.gpu !== undefined && !machine.gpu.isUnified)) return
        const { slots, context } = plan.arrangement
        if (slots === 1 && context <= 8192) return
        expect(plan.need.tokens).toBeLessThanOrEqual((machine.ram.available - plan.need.weights) / 2)
      }),
    )
  })

  it('leaves room for the states that slots can go back to', () => {
    const shape = model('Llama 3.1 8B')
    const stateBytes = 2 * MIB
    const hybrid = { ...shape, layers: shape.layers.map((layer) => ({ ...layer, stateBytes })) }
    for (const { machine } of REFERENCE_MACHINES) {
      const plan = planModel(hybrid, machine, { slots: 2 })
      expect(plan.need.checkpoints).toBe(2 * 4 * shape.layers.length * stateBytes)
      if (plan.fits) expect(isWithin(machine, plan.need)).toBe(true)
    }
    expect(planModel(hybrid, named('256 GB server'), { slots: 64 }).need.checkpoints).toBe(GIB)
    expect(planModel(shape, named('256 GB server')).need.checkpoints).toBe(0)
  })

  it('is what the owner set, and fills in the rest', () => {
    const card = named('24 GiB card, 128 GB of RAM')
    const of = (asked: Wishes) => planModel(model('Llama 3.1 8B'), card, asked)
    expect(of({ slots: 16 })).toMatchObject({ fits: true, arrangement: { slots: 16, context: 16_384 } })
    expect(of({ context: 20_000 })).toMatchObject({
      fits: true,
      arrangement: { context: 20_000, slots: 6, batch: 2048 },
    })
    expect(of({ context: 1_000_000 }).arrangement.context).toBe(131_072)
    expect(of({ slots: 2, context: 4096, gpuLayers: 3 })).toMatchObject({
      fits: true,
      arrangement: { slots: 2, context: 4096, gpuLayers: 3 },
    })
    expect(of({ slots: 64, context: 131_072 }).fits).toBe(false)
  })

  it('leaves room for the models that come later, unless nothing else would be left', () => {
    const card = named('24 GiB card, 128 GB of RAM')
    const alone = planModel(model('Llama 3.1 8B'), card)
    const first = planModel(model('Llama 3.1 8B'), { ...card, keptForLater: 6 * GIB })
    expect(first.need.gpu).toBeLessThanOrEqual(alone.need.gpu - 3 * GIB)
    const crowded = planModel(model('Llama 3.1 8B'), { ...card, keptForLater: 60 * GIB })
    expect(crowded).toMatchObject({ fits: true, arrangement: { slots: 1, context: 8192, gpuLayers: 33 } })
  })

  it('keeps to a cache that works with the model', () => {
    const shape = { ...model('Llama 3.1 8B'), allowsQuantizedCache: false }
    for (const { machine } of REFERENCE_MACHINES) expect(planModel(shape, machine).arrangement.cache).toBe('f16')
  })
})

describe('the reason for a plan', () => {
  const why = (name: string, machine: string, asked: Wishes = {}): string => {
    const plan = planModel(model(name), named(machine), asked)
    return plan.fits
      ? explainPlan(model(name), named(machine), plan.arrangement, asked)
      : explainRejection(named(machine), plan, asked)
  }

  it('says why the context is cut', () => {
    expect(why('SmolLM2', '4 GB laptop')).toBe("the model's full context")
    expect(why('Llama 3.1 8B', '8 GiB card, 16 GB of RAM')).toBe(
      "16,384 of the model's 131,072 tokens, which is what 7 GB of free GPU memory allows",
    )
    expect(why('Llama 3.2 1B', '256 GB server')).toBe(
      "32,768 of the model's 131,072 tokens, the most that a CPU can read in a few minutes",
    )
    expect(why('Llama 3.2 1B', '256 GB server', { context: 4096 })).toBe(
      "4,096 of the model's 131,072 tokens, as set on the device",
    )
    expect(why('Llama 3.3 70B', '24 GiB card, 128 GB of RAM')).toContain('40 layers of 81 on the CPU')
  })

  it('says the sum if nothing fits, and what to do', () => {
    expect(why('Llama 3.1 8B', '4 GB laptop')).toBe(
      'needs 5 GB for the weights and 600 MB for 1,024 tokens; 2.4 GB of memory available → close other programs, or choose a smaller model or quantization',
    )
    expect(why('Llama 3.1 8B', '8 GB laptop', { slots: 8 })).toContain('for 8 × 1,024 tokens')
    expect(why('Llama 3.1 8B', '8 GB laptop', { slots: 8 })).toContain('→ lower the setting slots, close')
  })
})
