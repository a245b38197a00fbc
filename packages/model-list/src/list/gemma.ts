// Google's models.

import type { ListedModel, SamplingDefaults } from '../listed-model.ts'
import { contextBytes, GEMMA as LICENSE, hub, sizes } from './entry-parts.ts'

const SAMPLING: SamplingDefaults = { temperature: 1, topP: 0.95, topK: 64, minP: 0 }
const SHARED = { maker: 'Google', license: LICENSE, sampling: SAMPLING } as const

export const GEMMA: readonly ListedModel[] = [
  {
    ...SHARED,
    name: 'gemma3:1b',
    aliases: ['gemma3-1b', 'gemma-3-1b', 'google/gemma-3-1b-it'],
    title: 'Gemma 3 1B',
    goodAt: 'short texts on small machines',
    contextLength: 32_768,
    parameters: 1,
    contextBytesPerToken: contextBytes(26, 1, 256),
    hub: hub('unsloth/gemma-3-1b-it-GGUF'),
    quantizations: sizes({ Q4_K_M: 0.806, Q8_0: 1.07 }),
  },
  {
    ...SHARED,
    name: 'gemma3:4b',
    aliases: ['gemma3', 'gemma3-4b', 'gemma-3-4b', 'google/gemma-3-4b-it'],
    title: 'Gemma 3 4B',
    goodAt: 'chat and translation on laptops',
    contextLength: 131_072,
    parameters: 4.3,
    contextBytesPerToken: contextBytes(34, 4, 256),
    hub: hub('unsloth/gemma-3-4b-it-GGUF'),
    quantizations: sizes({ Q4_K_M: 2.49, Q5_K_M: 2.83, Q6_K: 3.19, Q8_0: 4.13 }),
  },
  {
    ...SHARED,
    name: 'gemma3:12b',
    aliases: ['gemma3-12b', 'gemma-3-12b', 'google/gemma-3-12b-it'],
    title: 'Gemma 3 12B',
    goodAt: 'writing and translation in many languages',
    contextLength: 131_072,
    parameters: 12.2,
    contextBytesPerToken: contextBytes(48, 8, 256),
    hub: hub('unsloth/gemma-3-12b-it-GGUF'),
    quantizations: sizes({ Q4_K_M: 7.3, Q5_K_M: 8.45, Q6_K: 9.66, Q8_0: 12.5 }),
  },
  {
    ...SHARED,
    name: 'gemma3:27b',
    aliases: ['gemma3-27b', 'gemma-3-27b', 'google/gemma-3-27b-it'],
    title: 'Gemma 3 27B',
    goodAt: 'writing and translation at high quality',
    contextLength: 131_072,
    parameters: 27.4,
    contextBytesPerToken: contextBytes(62, 16, 128),
    hub: hub('unsloth/gemma-3-27b-it-GGUF'),
    quantizations: sizes({ Q4_K_M: 16.5, Q5_K_M: 19.3, Q6_K: 22.2, Q8_0: 28.7 }),
  },
]
