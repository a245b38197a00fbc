// Alibaba's models.

import type { ListedModel, SamplingDefaults } from './listed-model.ts'
import { APACHE, contextBytes, files, named } from './entry-parts.ts'

/** For answers after thinking. */
const THINKING: SamplingDefaults = { temperature: 0.6, topP: 0.95, topK: 20, minP: 0 }
const INSTRUCT: SamplingDefaults = { temperature: 0.7, topP: 0.8, topK: 20, minP: 0 }
const CODER: SamplingDefaults = { temperature: 0.7, topP: 0.8, topK: 20, repeatPenalty: 1.05 }
const QWEN25: SamplingDefaults = { temperature: 0.7, topP: 0.8, topK: 20, repeatPenalty: 1.05 }

/** Its authors warn of endless repetition without the presence penalty. */
const QWEN35_THINKING: SamplingDefaults = { temperature: 1, topP: 0.95, topK: 20, minP: 0, presencePenalty: 1.5 }

const QWEN35 = {
  maker: 'Alibaba',
  license: APACHE,
  contextLength: 262_144,
  sampling: QWEN35_THINKING,
} as const
const QWEN3 = { maker: 'Alibaba', license: APACHE, contextLength: 40_960, sampling: THINKING } as const
const QWEN3_2507 = { maker: 'Alibaba', license: APACHE, contextLength: 262_144 } as const

export const QWEN: readonly ListedModel[] = [
  {
    ...named('qwen2.5:0.5b', 'Qwen2.5 0.5B', 'Qwen/Qwen2.5-0.5B-Instruct'),
    maker: 'Alibaba',
    goodAt: 'simple tasks on the smallest machines',
    license: APACHE,
    contextLength: 32_768,
    parameters: 0.5,
    contextBytesPerToken: contextBytes(24, 2, 64),
    ...files('Qwen/Qwen2.5-0.5B-Instruct-GGUF', { Q4_K_M: 0.491, Q8_0: 0.676 }),
    sampling: { ...QWEN25, repeatPenalty: 1.1 },
  },
  {
    ...QWEN3,
    ...named('qwen3:0.6b', 'Qwen3 0.6B', 'Qwen/Qwen3-0.6B'),
    goodAt: 'simple tasks on small machines',
    isAllRounder: true,
    parameters: 0.6,
    contextBytesPerToken: contextBytes(28, 8, 128),
    ...files('unsloth/Qwen3-0.6B-GGUF', { Q4_K_M: 0.397, Q8_0: 0.639 }),
  },
  {
    ...QWEN3,
    ...named('qwen3:1.7b', 'Qwen3 1.7B', 'Qwen/Qwen3-1.7B'),
    goodAt: 'summaries and simple questions on small machines',
    isAllRounder: true,
    parameters: 1.7,
    contextBytesPerToken: contextBytes(28, 8, 128),
    ...files('unsloth/Qwen3-1.7B-GGUF', { Q4_K_M: 1.11, Q8_0: 1.83 }),
  },
  {
    ...QWEN3_2507,
    ...named('qwen3:4b', 'Qwen3 4B Instruct 2507', 'qwen3:4b-instruct', 'Qwen/Qwen3-4B-Instruct-2507'),
    goodAt: 'everyday chat and tools on a laptop, without thinking',
    isAllRounder: true,
    parameters: 4,
    contextBytesPerToken: contextBytes(36, 8, 128),
    ...files('unsloth/Qwen3-4B-Instruct-2507-GGUF', { Q4_K_M: 2.5, Q5_K_M: 2.89, Q6_K: 3.31, Q8_0: 4.28 }),
    sampling: INSTRUCT,
  },
  {
    ...QWEN3,
    ...named('qwen3:8b', 'Qwen3 8B', 'qwen3', 'Qwen/Qwen3-8B'),
    goodAt: 'a good all-rounder: chat, reasoning, tools, many languages',
    parameters: 8.2,
    contextBytesPerToken: contextBytes(36, 8, 128),
    ...files('unsloth/Qwen3-8B-GGUF', { Q4_K_M: 5.03, Q5_K_M: 5.85, Q6_K: 6.73, Q8_0: 8.71 }),
  },
  {
    ...QWEN3,
    ...named('qwen3:14b', 'Qwen3 14B', 'Qwen/Qwen3-14B'),
    goodAt: 'reasoning, tools and many languages',
    parameters: 14.8,
    contextBytesPerToken: contextBytes(40, 8, 128),
    ...files('unsloth/Qwen3-14B-GGUF', { Q4_K_M: 9, Q5_K_M: 10.5, Q6_K: 12.1, Q8_0: 15.7 }),
  },
  {
    ...QWEN3_2507,
    ...named(
      'qwen3:30b',
      'Qwen3 30B A3B Instruct 2507',
      'qwen3:30b-a3b',
      'qwen3-30b-a3b',
      'Qwen/Qwen3-30B-A3B-Instruct-2507',
    ),
    goodAt: 'fast and capable: only 3B of its parameters work on each token',
    isAllRounder: true,
    parameters: 30.5,
    activeParameters: 3.3,
    contextBytesPerToken: contextBytes(48, 4, 128),
    ...files('unsloth/Qwen3-30B-A3B-Instruct-2507-GGUF', { Q4_K_M: 18.6, Q5_K_M: 21.7, Q6_K: 25.1, Q8_0: 32.5 }),
    sampling: INSTRUCT,
  },
  {
    ...QWEN3,
    ...named('qwen3:32b', 'Qwen3 32B', 'Qwen/Qwen3-32B'),
    goodAt: 'hard questions and long reasoning',
    parameters: 32.8,
    contextBytesPerToken: contextBytes(64, 8, 128),
    ...files('unsloth/Qwen3-32B-GGUF', { Q4_K_M: 19.8, Q5_K_M: 23.2, Q6_K: 26.9, Q8_0: 34.8 }),
  },
  {
    ...QWEN3_2507,
    ...named('qwen3-coder:30b', 'Qwen3 Coder 30B A3B', 'qwen3-coder', 'Qwen/Qwen3-Coder-30B-A3B-Instruct'),
    goodAt: 'code and agents, fast for its size',
    parameters: 30.5,
    activeParameters: 3.3,
    contextBytesPerToken: contextBytes(48, 4, 128),
    ...files('unsloth/Qwen3-Coder-30B-A3B-Instruct-GGUF', { Q4_K_M: 18.6, Q5_K_M: 21.7, Q6_K: 25.1, Q8_0: 32.5 }),
    sampling: CODER,
  },
  // Only every fourth layer of Qwen3.5 remembers the whole context.
  {
    ...QWEN35,
    ...named('qwen3.5:4b', 'Qwen3.5 4B', 'Qwen/Qwen3.5-4B'),
    goodAt: 'reasoning, tools and long texts on a laptop',
    isAllRounder: true,
    parameters: 4.2,
    contextBytesPerToken: contextBytes(8, 4, 256),
    ...files('unsloth/Qwen3.5-4B-GGUF', { Q4_K_M: 2.74, Q5_K_M: 3.14, Q6_K: 3.53, Q8_0: 4.48 }),
  },
  {
    ...QWEN35,
    ...named('qwen3.5:9b', 'Qwen3.5 9B', 'qwen3.5', 'Qwen/Qwen3.5-9B'),
    goodAt: 'a good all-rounder: reasoning, tools, long texts, many languages',
    isAllRounder: true,
    parameters: 9,
    contextBytesPerToken: contextBytes(8, 4, 256),
    ...files('unsloth/Qwen3.5-9B-GGUF', { Q4_K_M: 5.68, Q5_K_M: 6.58, Q6_K: 7.46, Q8_0: 9.53 }),
  },
  {
    ...QWEN35,
    ...named('qwen3.5:27b', 'Qwen3.5 27B', 'Qwen/Qwen3.5-27B'),
    goodAt: 'hard questions, code and agents',
    isAllRounder: true,
    parameters: 26.9,
    contextBytesPerToken: contextBytes(16, 4, 256),
    ...files('unsloth/Qwen3.5-27B-GGUF', { Q4_K_M: 16.7, Q5_K_M: 19.6, Q6_K: 22.5, Q8_0: 28.6 }),
  },
  {
    ...QWEN35,
    ...named('qwen3.5:35b', 'Qwen3.5 35B A3B', 'qwen3.5:35b-a3b', 'qwen3.5-35b-a3b', 'Qwen/Qwen3.5-35B-A3B'),
    goodAt: 'fast and capable: only 3B of its parameters work on each token',
    isAllRounder: true,
    parameters: 34.7,
    activeParameters: 3,
    contextBytesPerToken: contextBytes(10, 2, 256),
    ...files('unsloth/Qwen3.5-35B-A3B-GGUF', { Q4_K_M: 22, Q5_K_M: 26.2, Q6_K: 28.9, Q8_0: 36.9 }),
  },
]
