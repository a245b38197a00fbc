// The features that a local server proved to have for one model. Everything here was observed by probing (see probe-model.ts); nothing is
// assumed from the product's name.

import type { Feature } from '@hearth/protocol'

export interface Abilities {
  /** Token counts at the end of a stream. */
  usage: boolean
  /** How to get a JSON object: with the json_object format, or with a schema that allows any object. */
  jsonObject: 'json_object' | 'json_schema' | false
  jsonSchema: boolean
  /** Parts of JSON Schema beyond the basics that the server enforced; see schema-parts.ts. */
  schemaParts: readonly string[]
  /** 'whole' means that calls get lost in streams, so requests with tools are not streamed. */
  tools: 'stream' | 'whole' | false
  logprobs: boolean
  /** The server generates several choices itself and counts the tokens of one. Otherwise each choice is a separate request. */
  n: boolean
  logitBias: boolean
  reasoningEffort: boolean
  /** How the server treats a stop sequence. Only shown to people, because stop sequences are never sent. */
  stop: 'kept' | 'removed' | 'ignored' | 'unknown'
  /** The same request at temperature 0 gave the same answer. Only shown to people. */
  isRepeatable: boolean
  limitField: 'max_tokens' | 'max_completion_tokens'
  /** Each chunk of a stream was one token, so an answer that we cut off can be counted. */
  isTokenPerPiece: boolean
  /** What the template and the server add to a short message, and that message; undefined if the server doesn't count. */
  templateTokens?: number
  /** Answers start inside `<think>`, without the opening tag. */
  startsThinking: boolean
}

/** `n` always works: if the server can't generate several choices, each one becomes a separate request. */
export function featuresOf(abilities: Abilities): Feature[] {
  const works: Record<Exclude<Feature, 'web_search' | 'sealed'>, boolean> = {
    usage: abilities.usage,
    json_object: abilities.jsonObject !== false,
    json_schema: abilities.jsonSchema,
    tools: abilities.tools !== false,
    logprobs: abilities.logprobs,
    n: true,
    logit_bias: abilities.logitBias,
    reasoning_effort: abilities.reasoningEffort,
    // Servers reuse whatever prompt began the same, and no request can forbid it.
    prefix_scope: false,
    // A server takes no tokens, and its text can't be turned into the same tokens again.
    resume: false,
  }
  return (Object.keys(works) as (keyof typeof works)[]).filter((feature) => works[feature])
}
