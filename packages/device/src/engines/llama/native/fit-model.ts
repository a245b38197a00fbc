// Loads a model into the memory that is there: plans its size, checks the plan with the library's own estimate, and plans less if the machine
// doesn't give what it promised.

import { GgmlType, type Llama, type LlamaContext, type LlamaModel } from 'node-llama-cpp'
import type { ModelSizing } from '@hearth/protocol'
import { EngineError, type Memory } from '../../engine.ts'
import { readModelShape, type ModelShape } from '../../../models/gguf/model-shape.ts'
import { explainPlan, explainRejection } from '../plan/explain.ts'
import { afterPlan, MIB, type MachineMemory } from '../plan/machine-memory.ts'
import { allLayers, memoryNeed, type Arrangement } from '../plan/memory-need.ts'
import { planModel } from '../plan/plan-model.ts'
import type { Wishes } from '../plan/sizes.ts'
import type { LlamaOptions } from '../llama-options.ts'

export interface Fitted {
  model: LlamaModel
  context: LlamaContext
  sizing: ModelSizing
  memory: Memory
  checkpointRoom: number
  arrangement: Arrangement
}

interface Task {
  llama: Llama
  options: LlamaOptions
  shape: ModelShape
  wishes: Wishes
  signal: AbortSignal
}

/** Each try plans with this share of the memory of the one before. */
const SHRINK = 0.85
const MOST_TRIES = 6
/** How far an estimate may be off before the plan is made again. */
const TOLERANCE = 32 * MIB

export async function fitModel(
  llama: Llama,
  options: LlamaOptions,
  machine: MachineMemory,
  signal: AbortSignal,
): Promise<Fitted> {
  const task = { llama, options, shape: readModelShape(options.path), wishes: wishesOf(options), signal }
  const model = await openModel(task, machine)
  try {
    return await openContext(task, model, machine)
  } catch (error) {
    await model.dispose()
    throw error
  }
}

/** Tries again with fewer layers on the GPU if it has no room for them after all. */
async function openModel(
  task: Task,
  machine: MachineMemory,
  triesLeft = MOST_TRIES,
  failure?: unknown,
): Promise<LlamaModel> {
  const { llama, options, signal } = task
  const { gpuLayers } = plan(task, machine, task.wishes, failure)
  try {
    return await llama.loadModel({
      modelPath: options.path,
      loadSignal: signal,
      gpuLayers,
      useMmap: true,
      ignoreMemorySafetyChecks: true,
    })
  } catch (error) {
    if (gpuLayers === 0 || triesLeft <= 1 || signal.aborted) throw error
    return openModel(task, shrink(machine), triesLeft - 1, error)
  }
}

async function openContext(task: Task, model: LlamaModel, machine: MachineMemory): Promise<Fitted> {
  let [wishes, left]: [Wishes, MachineMemory] = [{ ...task.wishes, loadedLayers: model.gpuLayers }, machine]
  let failure: unknown
  for (let triesLeft = MOST_TRIES; ; triesLeft -= 1) {
    const arrangement = plan(task, left, wishes, failure)
    const missing = await findMissing(task, model, arrangement)
    if (missing !== undefined && triesLeft > 1) left = afterPlan(left, missing)
    else {
      try {
        return await createContext(task, model, arrangement, machine)
      } catch (error) {
        if (triesLeft <= 1 || task.signal.aborted) throw error
        failure = error
        // Some back ends have no kernels for a quantized cache.
        if (arrangement.cache === 'q8_0' && wishes.cache === undefined) wishes = { ...wishes, cache: 'f16' }
        else left = shrink(left)
      }
    }
  }
}

async function createContext(
  { shape, wishes, signal }: Task,
  model: LlamaModel,
  arrangement: Arrangement,
  machine: MachineMemory,
): Promise<Fitted> {
  const context = await model.createContext({
    ...toLibrary(arrangement),
    createSignal: signal,
    failedCreationRemedy: false,
    ignoreMemorySafetyChecks: true,
  })
  const { ram, gpu, checkpoints } = memoryNeed(shape, arrangement)
  const sizing = toSizing(shape, machine, arrangement, wishes)
  return { model, context, sizing, memory: { ram, gpu }, checkpointRoom: checkpoints, arrangement }
}

/** The memory that the library needs beyond our own estimate; undefined if there is nothing worth mentioning. */
async function findMissing(
  { shape }: Task,
  model: LlamaModel,
  arrangement: Arrangement,
): Promise<{ ram: number; gpu: number } | undefined> {
  const { sequences, contextSize, batchSize, swaFullCache, flashAttention, ...types } = toLibrary(arrangement)
  const { cpuRam, gpuVram } = await model.fileInsights.estimateContextResourceRequirementsV2({
    sequences,
    contextSize,
    batchSize,
    swaFullCache,
    flashAttention,
    kvCacheKeyType: types.experimentalKvCacheKeyType,
    kvCacheValueType: types.experimentalKvCacheValueType,
    modelGpuLayers: model.gpuLayers,
  })
  const { context } = memoryNeed(shape, arrangement)
  const missing = { ram: Math.max(0, cpuRam - context.ram), gpu: Math.max(0, gpuVram - context.gpu) }
  return missing.ram > TOLERANCE || missing.gpu > TOLERANCE ? missing : undefined
}

function toLibrary({ slots, context, cache, keepsOnlyWindow, batch }: Arrangement) {
  const type = cache === 'f16' ? GgmlType.F16 : GgmlType.Q8_0
  return {
    sequences: slots,
    contextSize: context,
    batchSize: batch,
    swaFullCache: !keepsOnlyWindow,
    flashAttention: 'auto' as const,
    experimentalKvCacheKeyType: type,
    experimentalKvCacheValueType: type,
  }
}

/** Throws the failure that made a smaller plan necessary, if there is one. */
function plan({ options, shape }: Task, machine: MachineMemory, wishes: Wishes, failure?: unknown): Arrangement {
  const made = planModel(shape, machine, wishes)
  if (made.fits) return made.arrangement
  if (failure !== undefined) throw failure
  const why = explainRejection(machine, made, wishes)
  throw new EngineError('failed', `Can't load model "${options.name}": it ${why}`)
}

export function wishesOf({ slots, contextLength, gpuLayers }: LlamaOptions): Wishes {
  return {
    ...(slots === undefined ? {} : { slots }),
    ...(contextLength === undefined ? {} : { context: contextLength }),
    ...(gpuLayers === undefined ? {} : { gpuLayers }),
  }
}

function toSizing(shape: ModelShape, machine: MachineMemory, arrangement: Arrangement, wishes: Wishes): ModelSizing {
  return {
    trainedLength: shape.trainedLength,
    cacheType: arrangement.cache,
    gpuLayers: arrangement.gpuLayers,
    layers: allLayers(shape),
    why: explainPlan(shape, machine, arrangement, wishes),
  }
}

function shrink(machine: MachineMemory): MachineMemory {
  const { ram, gpu } = machine
  const smaller = { ...machine, ram: { ...ram, available: ram.available * SHRINK } }
  return gpu === undefined ? smaller : { ...smaller, gpu: { ...gpu, free: gpu.free * SHRINK } }
}
