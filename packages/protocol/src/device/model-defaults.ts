// A model's values for fields that a request leaves out. A field of the request always wins.

import { asCount, asNumber, asText } from '../read-fields.ts'
import { listAt, maybe, object, type Shaped, type ValueOf } from '../shapes.ts'

const fields = {
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
}

/** As devices get them. */
export const sentDefaults = object({
  ...fields,
  /**
   * Which of the fields nobody has set: the model's authors recommend them. At temperature 0 they
   * don't apply.
   */
  recommended: maybe(listAt(asText)),
})

export type ModelDefaults = Shaped<typeof fields>
export type SentDefaults = ValueOf<typeof sentDefaults>
