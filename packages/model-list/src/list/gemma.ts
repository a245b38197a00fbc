// Google's models. Most layers remember only the last tokens, so only the others count for the context.

import type { ListedModel, SamplingDefaults } from './listed-model.ts'
import { APACHE, contextBytes, files, GEMMA_TERMS, named } from './entry-parts.ts'

const SAMPLING: SamplingDefaults = { temperature: 1, topP: 0.95, topK: 64, minP: 0 }
const SHARED = { maker: 'Google', license: GEMMA_TERMS, sampling: SAMPLING } as const
const GEMMA4 = { ...SHARED, license: APACHE } as const

export const GEMMA: readonly ListedModel[] = [
  {
    ...SHARED,
    ...named('gemma3:4b', 'Gemma 3 4B', 'gemma3', 'gemma-3-4b', 'google/gemma-3-4b-it'),
    goodAt: 'chat and translation on laptops',
    contextLength: 131_072,
    parameters: 4.3,
    contextBytesPerToken: contextBytes(5, 4, 256),
    ...files('unsloth/gemma-3-4b-it-GGUF', { Q4_K_M: 2.49, Q5_K_M: 2.83, Q6_K: 3.19, Q8_0: 4.13 }),
  },
  {
    ...SHARED,
    ...named('gemma3:27b', 'Gemma 3 27B', 'gemma-3-27b', 'google/gemma-3-27b-it'),
    goodAt: 'writing and translation at high quality',
    contextLength: 131_072,
    parameters: 27.4,
    contextBytesPerToken: contextBytes(10, 16, 128),
    ...files('unsloth/gemma-3-27b-it-GGUF', { Q4_K_M: 16.5, Q5_K_M: 19.3, Q6_K: 22.2, Q8_0: 28.7 }),
  },
  {
    ...GEMMA4,
    ...named('gemma4:e4b', 'Gemma 4 E4B', 'gemma4', 'gemma-4-e4b', 'google/gemma-4-E4B-it'),
    goodAt: 'everyday chat and translation on laptops',
    isAllRounder: true,
    contextLength: 131_072,
    parameters: 7.5,
    activeParameters: 4.5,
    contextBytesPerToken: contextBytes(7, 2, 512),
    ...files('unsloth/gemma-4-E4B-it-GGUF', { Q4_K_M: 4.98, Q8_0: 8.19 }),
  },
  {
    ...GEMMA4,
    ...named('gemma4:12b', 'Gemma 4 12B', 'gemma-4-12b', 'google/gemma-4-12b-it'),
    goodAt: 'writing and translation in many languages',
    isAllRounder: true,
    contextLength: 262_144,
    parameters: 12,
    contextBytesPerToken: contextBytes(8, 4, 512),
    ...files('unsloth/gemma-4-12b-it-GGUF', { Q4_K_M: 7.38, Q8_0: 12.7 }),
  },
  {
    ...GEMMA4,
    ...named('gemma4:26b', 'Gemma 4 26B A4B', 'gemma4:26b-a4b', 'gemma-4-26b-a4b', 'google/gemma-4-26B-A4B-it'),
    goodAt: 'fast and capable: only 4B of its parameters work on each token',
    isAllRounder: true,
    contextLength: 262_144,
    parameters: 25.2,
    activeParameters: 3.8,
    contextBytesPerToken: contextBytes(5, 2, 512),
    ...files('unsloth/gemma-4-26B-A4B-it-GGUF', { 'UD-Q4_K_M': 16.9, Q8_0: 26.9 }),
  },
  {
    ...GEMMA4,
    ...named('gemma4:31b', 'Gemma 4 31B', 'gemma-4-31b', 'google/gemma-4-31B-it'),
    goodAt: 'writing, translation and reasoning at high quality',
    isAllRounder: true,
    contextLength: 262_144,
    parameters: 30.7,
    contextBytesPerToken: contextBytes(10, 4, 512),
    ...files('unsloth/gemma-4-31B-it-GGUF', { Q4_K_M: 18.3, Q8_0: 32.6 }),
  },
]
