// A chat request, normalized for a device: every field is valid, synonyms are resolved (developer
// is system, text parts are joined, functions are tools), and a field that asks for nothing is
// absent. A new field also needs an entry in job-fields.ts.

import { MAX_RECOVERY_TOKENS, MAX_TOKEN_ID } from '../limits.ts'
import { asCount, asFlag, asNumber, asObject, asText, ProtocolError, type Read } from '../read-fields.ts'
import { count, list, listAt, maybe, objectAt, oneOf, variantsAt, type ValueOf } from '../shapes.ts'

export interface ChatJob {
  model: string
  messages: JobMessage[]
  temperature?: number
  topP?: number
  maxTokens?: number
  stop?: string[]
  frequencyPenalty?: number
  presencePenalty?: number
  /** Number of choices; absent means one. */
  n?: number
  /** Asks for log probabilities, with `top` alternatives per token, 0 to 20. */
  logprobs?: { top: number }
  /** Token id of the serving model → bias from -100 to 100. */
  logitBias?: Record<string, number>
  responseFormat?: ResponseFormat
  tools?: JobTool[]
  /** 'none' forbids tool calls; absent means the model decides. */
  toolChoice?: 'none'
  reasoningEffort?: 'low' | 'medium' | 'high'
  webSearch?: WebSearch
  prefixScope?: PrefixScope
  recovery?: Recovery
}

const TOKEN_ID = /^\d+$/

export type JsonSchema = { [keyword: string]: unknown }

const asJsonSchema: Read<JsonSchema> = asObject

/** `arguments` is JSON text exactly as the model wrote it. */
const toolCall = objectAt({ id: asText, name: asText, arguments: asText })

export type ToolCall = ValueOf<typeof toolCall>

const said = { content: asText, name: maybe(asText) }

export const jobMessage = variantsAt('role', {
  system: said,
  user: said,
  assistant: { ...said, toolCalls: maybe(listAt(toolCall)) },
  tool: { ...said, toolCallId: asText },
})

export type JobMessage = ValueOf<typeof jobMessage>

export const jobTool = objectAt({
  name: asText,
  description: maybe(asText),
  /** JSON Schema of the arguments; absent means any object. */
  parameters: maybe(asJsonSchema),
  strict: maybe(asFlag),
})

export type JobTool = ValueOf<typeof jobTool>

export const responseFormat = variantsAt('type', {
  json_object: {},
  json_schema: { name: asText, description: maybe(asText), schema: asJsonSchema },
})

export type ResponseFormat = ValueOf<typeof responseFormat>

export const logprobs = objectAt({ top: count(20) })

export function asLogitBias(value: unknown, path: string): Record<string, number> {
  const entries = Object.entries(asObject(value, path))
  return Object.fromEntries(entries.map(([token, bias]) => asBias(token, bias, path)))
}

function asBias(token: string, value: unknown, path: string): [string, number] {
  if (!TOKEN_ID.test(token) || Number(token) > MAX_TOKEN_ID)
    throw new ProtocolError(`"${path}" must have token ids as keys`)
  const bias = asNumber(value, `${path}.${token}`)
  if (Math.abs(bias) > 100) throw new ProtocolError(`"${path}.${token}" must be a number from -100 to 100`)
  return [token, bias]
}

/**
 * Whose prompts a job may reuse: a device keeps what it computed for earlier prompts, and a prompt
 * that begins the same reuses it.
 */
export const prefixScope = objectAt({
  /** Opaque. Jobs of the same API key have the same name. */
  name: asText,
  /**
   * Reuse nothing that was computed for another scope. Without it, the job asks for nothing; the
   * device only counts by scope.
   */
  isSeparate: maybe(asFlag),
})

export type PrefixScope = ValueOf<typeof prefixScope>

const begunChoice = objectAt({
  /** The ids of the tokens that were drawn so far. An error doesn't say which: there can be many. */
  tokens: (value, path): number[] => readTokens(value, path.slice(path.lastIndexOf('.') + 1)),
  /**
   * The text that the client has: its length in UTF-16 units, and its checksum. A device whose text
   * differs can't continue the reply.
   */
  length: asCount,
  checksum: asCount,
  /** The client has the tool calls of this choice. */
  hasCalls: asFlag,
})

const readTokens = list(MAX_RECOVERY_TOKENS, count(MAX_TOKEN_ID))

export type BegunChoice = ValueOf<typeof begunChoice>

/** Asks the device to report the tokens of its reply, so that another device can continue it. */
export const recovery = objectAt({
  /** The gateway takes the id of a single token without a list around it. */
  bareId: maybe(asFlag),
  /**
   * The part of each choice that the client already has, if another device began the reply. The
   * device sends only the rest.
   */
  choices: maybe(listAt(begunChoice)),
})

export type Recovery = ValueOf<typeof recovery>

export const level = oneOf(['low', 'medium', 'high'])

const place = maybe(asText)

export const webSearch = objectAt({
  contextSize: maybe(level),
  location: maybe(objectAt({ city: place, country: place, region: place, timezone: place })),
})

export type WebSearch = ValueOf<typeof webSearch>
