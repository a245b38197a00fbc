// Loads a model so that its layers with a sliding window keep only that window.

import { getLlama } from 'node-llama-cpp'
import { toNative, type Native } from '../native/native.ts'

export async function loadWindowed(modelPath: string, slots: number, contextSize: number): Promise<Native> {
  const llama = await getLlama({
    gpu: false,
    build: 'never',
    skipDownload: true,
    maxThreads: 1,
    logger: () => undefined,
  })
  const model = await llama.loadModel({ modelPath })
  const size = { sequences: slots, contextSize, batchSize: 512 }
  return toNative(llama, model, await model.createContext({ ...size, swaFullCache: false }), 0)
}
