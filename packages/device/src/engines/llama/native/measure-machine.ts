// The memory of this machine and its GPU, at this moment.

import type { Llama } from 'node-llama-cpp'
import { availableMemory } from '../../../system/available-memory.ts'
import type { Machine } from '../plan/machine.ts'

export async function measureMachine(llama: Llama, { keptForLater = 0 }: { keptForLater?: number }): Promise<Machine> {
  const machine = { ram: availableMemory(), cores: llama.cpuMathCores, keptForLater }
  if (llama.gpu === false) return machine
  const { total, free, unifiedSize } = await llama.getVramState()
  return total === 0 ? machine : { ...machine, gpu: { kind: llama.gpu, total, free, isUnified: unifiedSize > 0 } }
}
