import { getLlama, GgmlType, type Llama, type LlamaModel } from 'node-llama-cpp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readModelShape } from '../../../models/gguf/model-shape.ts'
import type { LlamaOptions } from '../llama-options.ts'
import { GIB, MIB, type MachineMemory } from '../plan/machine-memory.ts'
import { memoryNeed, type Arrangement } from '../plan/memory-need.ts'
import { TINY_MODEL_PATH } from '../testing/tiny-model.ts'
import { replacing } from '../testing/replacing.ts'
import { fitModel } from './fit-model.ts'

const options: LlamaOptions = { name: 'tiny', path: TINY_MODEL_PATH }
const never = new AbortController().signal
/** The least that a machine keeps for other programs. */
const RESERVE = 256 * MIB
const with_ = (available: number): MachineMemory => ({ ram: { total: 4 * GIB, available }, cores: 2 })

describe('a model on a small machine', () => {
  let llama: Llama
  beforeAll(async () => {
    const quiet = { logger: () => undefined, maxThreads: 1 }
    llama = await getLlama({ gpu: false, build: 'never', skipDownload: true, ...quiet })
  }, 240_000)
  afterAll(() => llama.dispose())

  const fit = async (machine: MachineMemory, more: Partial<LlamaOptions> = {}) => {
    const { model, context, sizing } = await fitModel(llama, { ...options, ...more }, machine, never)
    const got = [context.totalSequences, context.contextSize, context.batchSize, sizing.cacheType]
    await model.dispose()
    return got
  }

  it('gets slots and context as planned', async () => {
    expect(await fit(with_(2 * GIB))).toEqual([4, 2048, 512, 'f16'])
    expect(await fit(with_(2 * GIB), { slots: 3, contextLength: 512 })).toEqual([3, 512, 512, 'f16'])
  })

  it('gets a cache of half the size where that makes it fit', async () => {
    const need = (arrangement: Partial<Arrangement>) =>
      memoryNeed(readModelShape(TINY_MODEL_PATH), { ...PLAIN, ...arrangement }).ram
    const [least, most] = [need({ cache: 'q8_0' }), need({})]
    expect(await fit(with_(RESERVE + (least + most) / 2))).toEqual([1, 2048, 512, 'q8_0'])
  })

  it('is refused with the sum if nothing fits', async () => {
    await expect(fit(with_(300 * MIB))).rejects.toThrow(
      /^Can't load model "tiny": it needs \d+ KB for the weights and \d+ MB for 1,024 tokens; 315 MB of memory available → /,
    )
  })

  it('gets less if the machine gives less than it promised, and gives up in the end', async () => {
    const [some, all] = [refuseContexts(llama, 1), refuseContexts(llama, 99)]
    const { model, context } = await fitModel(some.llama, options, { ...with_(600 * MIB), cores: 32 }, never)
    expect(some.tried[0]!.slots).toBe(16)
    expect(context.totalSequences).toBeLessThan(16)
    await model.dispose()
    await expect(fitModel(all.llama, options, with_(2 * GIB), never)).rejects.toThrow('no room')
    expect(all.tried).toHaveLength(6)
  })

  it('gets a plain cache if a smaller one fails', async () => {
    const { llama: refusing, tried } = refuseContexts(llama, 1)
    const least = memoryNeed(readModelShape(TINY_MODEL_PATH), { ...PLAIN, cache: 'q8_0' }).ram
    const { model } = await fitModel(refusing, options, with_(RESERVE + least + MIB), never)
    expect(tried.map(({ cache }) => cache)).toEqual([GgmlType.Q8_0, GgmlType.F16])
    await model.dispose()
  })

  it('needs about as much as the library itself estimates', async () => {
    const shape = readModelShape(TINY_MODEL_PATH)
    const model = await llama.loadModel({ modelPath: TINY_MODEL_PATH })
    for (const [slots, context, batch] of [
      [1, 2048, 512],
      [8, 2048, 512],
      [64, 512, 512],
      [4, 1024, 1024],
    ] as const) {
      const { cpuRam } = await model.fileInsights.estimateContextResourceRequirementsV2({
        sequences: slots,
        contextSize: context,
        batchSize: batch,
        modelGpuLayers: 0,
        flashAttention: 'auto',
        swaFullCache: true,
      })
      const need = memoryNeed(shape, { ...PLAIN, slots, context, batch }).context.ram
      expect(Math.abs(need - cpuRam)).toBeLessThan(40 * MIB)
    }
    await model.dispose()
  })
})

const PLAIN: Arrangement = {
  slots: 1,
  context: 2048,
  cache: 'f16',
  keepsOnlyWindow: false,
  gpuLayers: 0,
  batch: 512,
}

/** The library, on a machine without room for the first `count` contexts. */
function refuseContexts(llama: Llama, count: number): { llama: Llama; tried: { slots: number; cache: unknown }[] } {
  const tried: { slots: number; cache: unknown }[] = []
  const createContext =
    (model: LlamaModel): LlamaModel['createContext'] =>
    (asked = {}) => {
      tried.push({ slots: asked.sequences ?? 1, cache: Reflect.get(asked, 'experimentalKvCacheKeyType') })
      return tried.length <= count ? Promise.reject(new Error('no room')) : model.createContext(asked)
    }
  const loadModel: Llama['loadModel'] = async (asked) => {
    const model = await llama.loadModel(asked)
    return replacing(model, { createContext: createContext(model) })
  }
  return { llama: replacing(llama, { loadModel }), tried }
}
