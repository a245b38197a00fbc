// A model's values for fields that a request leaves out. A field of the request always wins.

import { asCount, asNumber, asText } from '../read-fields.ts'
import { maybe, object, type ValueOf } from '../shapes.ts'

export const modelDefaults = object({
  temperature: maybe(asNumber),
  topP: maybe(asNumber),
  maxTokens: maybe(asCount),
  frequencyPenalty: maybe(asNumber),
  presencePenalty: maybe(asNumber),
  /** Draw only from this many of the likeliest tokens. */
  topK: maybe(asCount),
  /** Draw only from tokens at least this likely, compared with the likeliest. */
  minP: maybe(asNumber),
  /** Divides the likelihood of tokens that the answer already has; 1 means not at all. */
  repeatPenalty: maybe(asNumber),
  /** The system message of a conversation that has none. */
  systemMessage: maybe(asText),
  /** Replaces the chat template in the model's file. Servers that bring their own template ignore it. */
  chatTemplate: maybe(asText),
})

export type ModelDefaults = ValueOf<typeof modelDefaults>
