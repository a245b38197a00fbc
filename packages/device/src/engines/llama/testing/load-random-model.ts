// Loads made-up models. Layers with a sliding window keep only that window.

import { getLlama } from 'node-llama-cpp'
import { toNative, type Native } from '../native/native.ts'
import { makeModelFile } from './model-file.ts'
import { writeRandomModel, type Architecture } from './random-models.ts'
import { loadTinyModel } from './tiny-model.ts'

export async function loadRandomModel(architecture: Architecture, slots: number, contextLength: number) {
  const file = makeModelFile((path) => writeRandomModel(path, architecture))
  const { path } = file
  const isWindowed = architecture === 'gemma3'
  const native = await (isWindowed
    ? loadWindowed(path, slots, contextLength)
    : loadTinyModel({ path, slots, contextLength }))
  const release = async (): Promise<void> => {
    await native.dispose()
    file.remove()
  }
  return { path, native, release }
}

async function loadWindowed(modelPath: string, slots: number, contextSize: number): Promise<Native> {
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
