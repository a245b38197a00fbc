// The list itself, smallest model first.

import type { ListedModel } from './listed-model.ts'
import { GEMMA } from './gemma.ts'
import { LLAMA } from './llama.ts'
import { OTHERS } from './others.ts'
import { QWEN } from './qwen.ts'
import { SMOLLM } from './smollm.ts'

export const MODEL_LIST: readonly ListedModel[] = [...SMOLLM, ...QWEN, ...LLAMA, ...GEMMA, ...OTHERS].toSorted(
  (a, b) => a.parameters - b.parameters,
)
