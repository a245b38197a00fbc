// A bias on a token that the model doesn't have is a mistake: the IDs are probably those of another model.

import type { ChatJob } from '@hearth/protocol'
import { EngineError } from '../../engine.ts'

/** Throws EngineError if the job biases a token beyond the vocabulary. */
export function checkBias({ logitBias = {} }: ChatJob, vocabularySize: number): void {
  const unknown = Object.keys(logitBias).find((id) => Number(id) >= vocabularySize)
  if (unknown === undefined) return
  const message = `Invalid key in 'logit_bias': ${unknown}. The token IDs of this model go from 0 to ${vocabularySize - 1}.`
  throw new EngineError('invalid_value', message, { param: 'logit_bias' })
}
