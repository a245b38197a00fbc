// A model's values for fields that a request leaves out. A field of the request always wins.

import { asList, asObject, asText, optional, readCount, readNumber, readText, type Fields } from '../read-fields.ts'

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

/** As devices get them. */
export interface SentDefaults extends ModelDefaults {
  /** Which of the fields nobody has set: the model's authors recommend them. At temperature 0 they don't apply. */
  recommended?: readonly string[]
}

export function readModelDefaults(from: Fields, name: string): SentDefaults {
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
    ...optional(fields, 'recommended', (given, field) => asList(given[field], field, asText)),
  }
}
