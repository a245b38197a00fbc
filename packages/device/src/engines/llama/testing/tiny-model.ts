// The model in the repository, loaded into the test's own process. One thread: on a small machine, more would only wait for each other.

import { fileURLToPath } from 'node:url'
import type { LlamaOptions } from '../llama-options.ts'
import { loadModel } from '../native/load-model.ts'
import type { Native } from '../native/native.ts'

export const TINY_MODEL_PATH = fileURLToPath(new URL('../../../../tiny-model/tiny.gguf', import.meta.url))

export async function loadTinyModel(options: Partial<LlamaOptions> = {}): Promise<Native> {
  const tiny = { name: 'tiny', path: TINY_MODEL_PATH, threads: 1, gpu: false } as const
  const { native } = (await loadModel({ ...tiny, ...options }, AbortSignal.timeout(240_000)))!
  return native
}
