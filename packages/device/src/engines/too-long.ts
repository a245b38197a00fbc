// The error of a conversation that is longer than the model's context.

import { EngineError } from './engine.ts'

/** What was counted, if anything was. */
interface Counted {
  tokens: number
  /** The most that the completion may have. */
  maxTokens?: number | undefined
}

/** Uses the message of the reference API, because some clients parse it. */
export function tooLong(contextLength: number, counted?: Counted): EngineError {
  return new EngineError(
    'context_length_exceeded',
    `This model's maximum context length is ${contextLength} tokens. However, your messages ${lengthOf(counted)}. Please reduce the length of the messages.`,
    { param: 'messages' },
  )
}

function lengthOf(counted: Counted | undefined): string {
  if (counted === undefined) return 'are longer'
  const { tokens, maxTokens } = counted
  return `resulted in ${tokens} tokens${maxTokens === undefined ? '' : ` (and ${maxTokens} for the completion)`}`
}
