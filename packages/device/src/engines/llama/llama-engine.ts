// The embedded engine as the device app sees it: one child process per model, supervised from here.

import type { Engine } from '../engine.ts'
import type { LlamaOptions } from './llama-options.ts'

export function createLlamaEngine(options: LlamaOptions): Engine {
  throw new Error(`Cannot serve ${options.models.length} models: the embedded engine is not built yet`)
}
