// The memory of this machine and its GPU, at this moment.

import type { Llama } from 'node-llama-cpp'
import { availableMemory } from '@hearth/command-line/machine/available-memory'
import { mappedBySiblings } from '../../../system/mapped-by-siblings.ts'
import type { MachineMemory } from '../plan/machine-memory.ts'

export async function measureMemory(llama: Llama): Promise<MachineMemory> {
  const { total, available } = availableMemory()
  const ram = { total, available: Math.max(0, available - mappedBySiblings()) }
  const machine = { ram, cores: llama.cpuMathCores }
  if (llama.gpu === false) return machine
  const card = await llama.getVramState()
  if (card.total === 0) return machine
  return {
    ...machine,
    gpu: { kind: llama.gpu, total: card.total, free: card.free, isUnified: card.unifiedSize > 0 },
  }
}
