// Meta's models. The repositories of the list need no login, but Meta's license applies to them too.

import type { License, ListedModel, SamplingDefaults } from './listed-model.ts'
import { contextBytes, files, named } from './entry-parts.ts'

const SAMPLING: SamplingDefaults = { temperature: 0.6, topP: 0.9 }
const SHARED = { maker: 'Meta', contextLength: 131_072, sampling: SAMPLING } as const

function license(version: string): License {
  const path = version.replace('.', '_')
  return { name: `Llama ${version} Community License`, url: `https://www.llama.com/llama${path}/license/` }
}

export const LLAMA: readonly ListedModel[] = [
  {
    ...SHARED,
    ...named('llama3.2:1b', 'Llama 3.2 1B', 'llama-3.2-1b', 'meta-llama/Llama-3.2-1B-Instruct'),
    goodAt: 'rewriting and summaries on small machines',
    license: license('3.2'),
    parameters: 1.2,
    contextBytesPerToken: contextBytes(16, 8, 64),
    ...files('bartowski/Llama-3.2-1B-Instruct-GGUF', { Q4_K_M: 0.808, Q5_K_M: 0.912, Q6_K: 1.02, Q8_0: 1.32 }),
  },
  {
    ...SHARED,
    ...named('llama3.2:3b', 'Llama 3.2 3B', 'llama3.2', 'llama-3.2-3b', 'meta-llama/Llama-3.2-3B-Instruct'),
    goodAt: 'everyday chat on laptops',
    license: license('3.2'),
    parameters: 3.2,
    contextBytesPerToken: contextBytes(28, 8, 128),
    ...files('bartowski/Llama-3.2-3B-Instruct-GGUF', { Q4_K_M: 2.02, Q5_K_M: 2.32, Q6_K: 2.64, Q8_0: 3.42 }),
  },
  {
    ...SHARED,
    ...named('llama3.1:8b', 'Llama 3.1 8B', 'llama3.1', 'llama-3.1-8b', 'meta-llama/Llama-3.1-8B-Instruct'),
    goodAt: 'chat and writing in English; many fine-tunes start from it',
    license: license('3.1'),
    parameters: 8,
    contextBytesPerToken: contextBytes(32, 8, 128),
    ...files('bartowski/Meta-Llama-3.1-8B-Instruct-GGUF', { Q4_K_M: 4.92, Q5_K_M: 5.73, Q6_K: 6.6, Q8_0: 8.54 }),
  },
  {
    ...SHARED,
    ...named('llama3.3:70b', 'Llama 3.3 70B', 'llama3.3', 'llama-3.3-70b', 'meta-llama/Llama-3.3-70B-Instruct'),
    goodAt: 'knowledge and writing, on machines with a lot of memory',
    license: license('3.3'),
    parameters: 70.6,
    contextBytesPerToken: contextBytes(80, 8, 128),
    ...files('bartowski/Llama-3.3-70B-Instruct-GGUF', { Q4_K_M: 42.5, Q5_K_M: 49.9, Q6_K: 57.9, Q8_0: 75 }),
  },
]
