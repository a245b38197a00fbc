// Opens the library just to ask it for the memory of its GPU.

import { getLlama } from 'node-llama-cpp'
import type { Machine } from '../plan/machine.ts'
import { measureMachine } from './measure-machine.ts'

export async function surveyMachine(gpu: 'cuda' | 'vulkan' | 'metal' | false): Promise<Machine> {
  const llama = await getLlama({
    gpu,
    build: 'never',
    skipDownload: true,
    progressLogs: false,
    logger: () => undefined,
  })
  return measureMachine(llama)
}
