// What the owner of the machine may decide about the embedded engine. Everything but the model has a default that leaves the machine usable.

import type { Feature } from '@hearth/protocol'

export interface LlamaOptions {
  models: readonly LlamaModelOptions[]
  /** Processor threads per model; by default one less than the physical cores. */
  threads?: number
  /** 'auto' takes the best back end whose package is installed; false stays on the processor. */
  gpu?: 'auto' | 'cuda' | 'vulkan' | 'metal' | false
}

export interface LlamaModelOptions {
  /** The name it is served under. */
  name: string
  /** A GGUF file. */
  path: string
  /** Hash of the file, passed on as it is. */
  digest?: string
  /** Tokens of prompt and answer together, per slot; by default what the model was trained for, as far as memory allows. */
  contextLength?: number
  /** Jobs at once. */
  slots?: number
  /** Layers kept on the GPU; by default as many as fit. */
  gpuLayers?: number
  /** Features not announced although they work, to act like an older device app. */
  featuresOff?: readonly Feature[]
}
