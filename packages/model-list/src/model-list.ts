// The list itself, smallest model first.

import type { ListedModel } from './listed-model.ts'
import { GEMMA } from './list/gemma.ts'
import { LLAMA } from './list/llama.ts'
import { OTHERS } from './list/others.ts'
import { QWEN } from './list/qwen.ts'
import { SMOLLM } from './list/smollm.ts'

export const MODEL_LIST: readonly ListedModel[] = [...SMOLLM, ...QWEN, ...LLAMA, ...GEMMA, ...OTHERS].toSorted(
  (a, b) => a.parameters - b.parameters,
)
