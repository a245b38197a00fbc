// Opens the library just to ask it for the memory of its GPU.

import { getLlama } from 'node-llama-cpp'
import type { MachineMemory } from '../plan/machine-memory.ts'
import { measureMemory } from './measure-memory.ts'

export async function surveyMachine(gpu: 'cuda' | 'vulkan' | 'metal' | false): Promise<MachineMemory> {
  const llama = await getLlama({
    gpu,
    build: 'never',
    skipDownload: true,
    progressLogs: false,
    logger: () => undefined,
  })
  return measureMemory(llama)
}
