// A model, as far as its speed and its size depend on it.

import type { ListedModel } from '../list/listed-model.ts'

export interface ModelFacts {
  name: string
  /** The file that is downloaded. */
  bytes: number
  /** In billions. */
  parameters: number
  /** In billions: those that each token passes through. */
  activeParameters: number
  contextBytesPerToken: number
  /** The most tokens that it was trained for. Absent if nobody knows. */
  contextLength?: number | undefined
  isAllRounder?: boolean | undefined
}

/** Of the file that devices download by default: the smallest in the list. */
export function factsOf(model: ListedModel): ModelFacts {
  const { name, parameters, activeParameters = parameters, contextBytesPerToken, contextLength } = model
  const bytes = Math.min(...model.quantizations.map((quantization) => quantization.bytes))
  const isAllRounder = model.isAllRounder ?? false
  return { name, bytes, parameters, activeParameters, contextBytesPerToken, contextLength, isAllRounder }
}

/** Knowledge grows with all parameters, thinking with those that work on each token. */
export function qualityOf({ parameters, activeParameters }: ModelFacts): number {
  return Math.sqrt(parameters * activeParameters)
}

/** Bits per parameter of the usual quantization, Q4_K_M. */
const USUAL_BITS = 4.9
/** Per token, where nobody says: an average of well-known models. */
export const USUAL_CONTEXT_BYTES = 160_000
/** "Qwen3-30B-A3B", "gemma4:26b-a4b". */
const SIZES = /(\d+(?:\.\d+)?)b(?:[-_]a(\d+(?:\.\d+)?)b)?(?![a-z\d])/i

/** A model that only its name and its size are known of, such as one of the hub. */
export function guessFacts({ name, bytes }: { name: string; bytes: number }): ModelFacts {
  const [, all, active] = SIZES.exec(name) ?? []
  const parameters = all === undefined ? (bytes * 8) / USUAL_BITS / 1e9 : Number(all)
  const activeParameters = Math.min(parameters, active === undefined ? parameters : Number(active))
  return { name, bytes, parameters, activeParameters, contextBytesPerToken: USUAL_CONTEXT_BYTES }
}
