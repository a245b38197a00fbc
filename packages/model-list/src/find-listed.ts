// Finds a model in the list by any of its names, with or without a quantization.

import type { ListedModel } from './list/listed-model.ts'
import { MODEL_LIST } from './list/model-list.ts'

const BY_NAME = new Map(
  MODEL_LIST.flatMap((model) => [model.name, ...model.aliases].map((name) => [name.toLowerCase(), model] as const)),
)

/** A quantization after a name: `-q4_k_m`, `:UD-Q4_K_XL`. */
const QUANT_SUFFIX = /^(.+?)[-:]((?:ud-)?(?:i?q\d\w*|mxfp4\w*|bf16|f16|f32))$/i

/** Undefined if nothing in the list has this name. */
export function findListed(name: string): ListedModel | undefined {
  return BY_NAME.get(name.toLowerCase()) ?? BY_NAME.get(name.toLowerCase().replace(/:latest$/, ''))
}

/** Finds `qwen3:8b-q4_k_m` too. A quantization that the list doesn't have is left for the hub to find. */
export function findListedQuant(name: string): { model: ListedModel; quant?: string } | undefined {
  const whole = findListed(name)
  if (whole !== undefined) return { model: whole }
  const [, stem = '', quant = ''] = QUANT_SUFFIX.exec(name) ?? []
  const model = findListed(stem)
  return model === undefined ? undefined : { model, quant: quant.toUpperCase() }
}
