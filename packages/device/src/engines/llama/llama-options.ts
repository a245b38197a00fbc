// How the embedded engine runs one model. Everything but the name and the file has a default that leaves the machine usable.

import type { Feature } from '@hearth/protocol'

/** 'always' evaluates every guess, however often they are wrong: for tests. */
export type GuessMode = 'auto' | 'always' | 'never'

export interface LlamaOptions {
  /** The name it is served under. */
  name: string
  /** A GGUF file. */
  path: string
  /** Hash of the file, announced as it is. */
  digest?: string
  /** Tokens of prompt and reply together, per slot; planned from memory unless set. */
  contextLength?: number
  /** Jobs at once; planned from memory unless set. */
  slots?: number
  /** The file sizes of other models that may be loaded after this one. Those that fit beside it are left room. */
  others?: readonly number[]
  /** Use no more memory than this for all models together; by default what is free. */
  memoryLimit?: number
  /** CPU threads; by default one less than the physical cores. */
  threads?: number
  /** 'auto' takes the best backend whose package is installed; false stays on the CPU. */
  gpu?: 'auto' | 'cuda' | 'vulkan' | 'metal' | false
  /** Variables that the back end adds to the process's environment. */
  environment?: Readonly<Record<string, string>>
  /** Layers kept on the GPU; by default as many as fit. */
  gpuLayers?: number
  /** Replaces the chat template in the file. */
  chatTemplate?: string
  /** Whether tokens that are likely to come next are evaluated ahead; by default where that is faster. The reply is the same. */
  guessing?: GuessMode
  /** Whether replies at temperature 0 must not depend on other jobs. Slower for several at once; on a GPU without effect. */
  repeatable?: boolean
  /** Where to keep what was measured about files on this processor. */
  sizesFile?: string
  /** Features that work but are not announced, to act like an older device app. */
  featuresOff?: readonly Feature[]
}
