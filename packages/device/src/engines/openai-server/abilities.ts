// What a local server was seen doing for one model. Everything here was observed by probing (see probe-model.ts), nothing is assumed from the
// name of the product.

import type { Feature } from '@hearth/protocol'

export interface Abilities {
  /** Token counts at the end of a stream. */
  usage: boolean
  /** How a JSON object is asked for so that one comes: by its own format, or as the schema of any object. */
  jsonObject: 'json_object' | 'json_schema' | false
  jsonSchema: boolean
  /** Parts of JSON Schema, beyond the basic ones, that were enforced; see schema-parts.ts. */
  schemaParts: readonly string[]
  /** 'whole': calls get lost in streams, so requests with tools are not streamed. */
  tools: 'stream' | 'whole' | false
  logprobs: boolean
  /** The server makes several choices by itself and counts the tokens of one. Otherwise each choice is a request. */
  n: boolean
  logitBias: boolean
  reasoningEffort: boolean
  /** What becomes of a stop text that is sent. Shown to people only: stop texts are never sent. */
  stop: 'kept' | 'removed' | 'ignored' | 'unknown'
  /** The same request at temperature 0 gave the same answer. Shown to people only. */
  isRepeatable: boolean
  limitField: 'max_tokens' | 'max_completion_tokens'
  /** Each piece of a stream was one token: an answer that we cut off can be counted. */
  isTokenPerPiece: boolean
  /** Answers begin inside `<think>`, without the opening tag. */
  startsThinking: boolean
}

/** Several choices are always possible: where the server cannot make them, each becomes a request of its own. */
export function featuresOf(abilities: Abilities): Feature[] {
  const works: Record<Exclude<Feature, 'web_search'>, boolean> = {
    usage: abilities.usage,
    json_object: abilities.jsonObject !== false,
    json_schema: abilities.jsonSchema,
    tools: abilities.tools !== false,
    logprobs: abilities.logprobs,
    n: true,
    logit_bias: abilities.logitBias,
    reasoning_effort: abilities.reasoningEffort,
  }
  return (Object.keys(works) as (keyof typeof works)[]).filter((feature) => works[feature])
}
