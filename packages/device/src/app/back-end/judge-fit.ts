// Whether a model that isn't downloaded yet will fit this machine: the planner's answer for a model of its size.

import { cpus } from 'node:os'
import { CARD_SHARE, RAM_SHARE, USUAL_CONTEXT_BYTES } from '@hearth/model-list'
import { MIB, gpuReserve, ramReserve, type Machine } from '../../engines/llama/plan/machine.ts'
import { planModel, type Refusal } from '../../engines/llama/plan/plan-model.ts'
import { runSurvey } from '../../engines/llama/process/run-survey.ts'
import type { Backend } from '../../gpu/backend.ts'
import type { ModelShape } from '../../models/gguf/model-shape.ts'
import type { JudgeModel, ModelSize } from '../../models/hub/resolve.ts'
import { availableMemory } from '@hearth/command-line/machine/available-memory'

const SURVEY_MS = 60_000

/** Where the file says nothing, an average of well-known models. */
const LAYERS = 36
const CONTEXT_LENGTH = 32_768
const VOCABULARY = 150_000
const WIDTH = 4096
const EMBEDDINGS_SHARE = 0.06

export function createJudge(machine: Machine): JudgeModel {
  const whole = capacityOf(machine)
  return (size) => {
    const plan = planModel(shapeOf(size), whole)
    return plan.fits ? { fits: true } : { fits: false, missingBytes: missingBytes(plan, whole) }
  }
}

/** How many bytes one model may take, weights and context together. */
export function memoryForModels(machine: Machine): number {
  return capacityBytes(capacityOf(machine))
}

/** Never fails: without an answer from a GPU, the machine's own memory counts. */
export async function measureMachine(backend: () => Promise<Backend>, signal: AbortSignal): Promise<Machine> {
  try {
    return await runSurvey(await backend(), AbortSignal.any([signal, AbortSignal.timeout(SURVEY_MS)]))
  } catch {
    signal.throwIfAborted()
    return { ram: availableMemory(), cores: Math.max(1, Math.floor(cpus().length / 2)) }
  }
}

function capacityOf(machine: Machine): Machine {
  const { ram, gpu } = machine
  const own = { ...machine, ram: { ...ram, available: Math.max(ram.available, ram.total * RAM_SHARE) } }
  return gpu === undefined ? own : { ...own, gpu: { ...gpu, free: Math.max(gpu.free, gpu.total * CARD_SHARE) } }
}

/** A model with layers of equal size that add up to the file. */
function shapeOf({
  bytes,
  contextBytesPerToken = USUAL_CONTEXT_BYTES,
  contextLength = CONTEXT_LENGTH,
}: ModelSize): ModelShape {
  const inputBytes = bytes * EMBEDDINGS_SHARE
  const layer = {
    weightBytes: (bytes - 2 * inputBytes) / LAYERS,
    // The list gives the bytes of 16-bit numbers.
    cacheNumbers: contextBytesPerToken / 2 / LAYERS,
    isWindowed: false,
    stateBytes: 0,
  }
  return {
    trainedLength: contextLength,
    layers: Array.from({ length: LAYERS }, () => layer),
    inputBytes,
    outputBytes: inputBytes,
    sharesEmbeddings: false,
    vocabulary: VOCABULARY,
    width: WIDTH,
    innerWidth: 4 * WIDTH,
    allowsQuantizedCache: true,
    window: 0,
  }
}

function missingBytes({ need }: Refusal, machine: Machine): number {
  return Math.max(64 * MIB, Math.ceil(need.ram + need.gpu - capacityBytes(machine)))
}

/** A GPU that is part of the computer uses the machine's own memory. */
function capacityBytes(machine: Machine): number {
  const { ram, gpu } = machine
  const card = gpu === undefined || gpu.isUnified ? 0 : gpu.free - gpuReserve(gpu)
  return Math.floor(ram.available - ramReserve(machine) + card)
}
