// Whether a model that isn't downloaded yet will fit this machine, as the console says it too.

import { cpus } from 'node:os'
import { CARD_SHARE, fitOn, RAM_SHARE } from '@hearth/model-list'
import { gpuReserve, ramReserve, type MachineMemory } from '../../engines/llama/plan/machine-memory.ts'
import { runSurvey } from '../../engines/llama/process/run-survey.ts'
import type { Backend } from '../../gpu/backend.ts'
import type { JudgeModel } from '../../models/hub/resolve.ts'
import { availableMemory } from '@hearth/command-line/machine/available-memory'

const SURVEY_MS = 60_000

export function createJudge(machine: MachineMemory): JudgeModel {
  const roomBytes = memoryForModels(machine)
  return (size) => {
    const fit = fitOn({ roomBytes }, size)
    return fit.grade === 'too-large' ? { fits: false, missingBytes: fit.missingBytes } : { fits: true }
  }
}

/** How many bytes one model may take, weights and context together. */
export function memoryForModels(machine: MachineMemory): number {
  return capacityBytes(capacityOf(machine))
}

/** Never fails: without an answer from a GPU, the machine's own memory counts. */
export async function measureMachine(backend: () => Promise<Backend>, signal: AbortSignal): Promise<MachineMemory> {
  try {
    return await runSurvey(await backend(), AbortSignal.any([signal, AbortSignal.timeout(SURVEY_MS)]))
  } catch {
    signal.throwIfAborted()
    return { ram: availableMemory(), cores: Math.max(1, Math.floor(cpus().length / 2)) }
  }
}

function capacityOf(machine: MachineMemory): MachineMemory {
  const { ram, gpu } = machine
  const own = { ...machine, ram: { ...ram, available: Math.max(ram.available, ram.total * RAM_SHARE) } }
  return gpu === undefined ? own : { ...own, gpu: { ...gpu, free: Math.max(gpu.free, gpu.total * CARD_SHARE) } }
}

/** A GPU that is part of the computer uses the machine's own memory. */
function capacityBytes(machine: MachineMemory): number {
  const { ram, gpu } = machine
  const card = gpu === undefined || gpu.isUnified ? 0 : gpu.free - gpuReserve(gpu)
  return Math.floor(ram.available - ramReserve(machine) + card)
}
