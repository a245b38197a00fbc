// A model's values for fields that a request leaves out. A field of the request always wins.

import { asObject, optional, readCount, readNumber, readText, type Fields } from '../read-fields.ts'

export interface ModelDefaults {
  temperature?: number
  topP?: number
  maxTokens?: number
  frequencyPenalty?: number
  presencePenalty?: number
  /** Draw only from this many of the likeliest tokens. */
  topK?: number
  /** Draw only from tokens at least this likely, compared with the likeliest. */
  minP?: number
  /** Divides the likelihood of tokens that the answer already has; 1 means not at all. */
  repeatPenalty?: number
  /** The system message of a conversation that has none. */
  systemMessage?: string
  /** Replaces the chat template in the model's file. Servers that bring their own template ignore it. */
  chatTemplate?: string
}

export function readModelDefaults(from: Fields, name: string): ModelDefaults {
  const fields = asObject(from[name], name)
  return {
    ...optional(fields, 'temperature', readNumber),
    ...optional(fields, 'topP', readNumber),
    ...optional(fields, 'maxTokens', readCount),
    ...optional(fields, 'frequencyPenalty', readNumber),
    ...optional(fields, 'presencePenalty', readNumber),
    ...optional(fields, 'topK', readCount),
    ...optional(fields, 'minP', readNumber),
    ...optional(fields, 'repeatPenalty', readNumber),
    ...optional(fields, 'systemMessage', readText),
    ...optional(fields, 'chatTemplate', readText),
  }
}
