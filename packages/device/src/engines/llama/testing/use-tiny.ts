// The tiny model for all tests of a file.

import { afterAll } from 'vitest'
import type { LlamaOptions } from '../llama-options.ts'
import type { Native } from '../native/native.ts'
import { loadTinyModel } from './tiny-model.ts'

export async function useTinyModel(options: Partial<LlamaOptions>): Promise<Native> {
  const native = await loadTinyModel(options)
  afterAll(() => native.dispose())
  return native
}
