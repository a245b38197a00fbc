// Turns a job into the request that a local server understands. Only the fields here are ever sent. Stop sequences are not among them: servers
// remove the text they stop at, so the device stops the answer itself (see choice-reader.ts).

import type { ChatJob, JobErrorCode, JobMessage, JobTool, JsonSchema, ResponseFormat } from '@hearth/protocol'
import { EngineError } from '../../engine.ts'
import type { Abilities } from './abilities.ts'
import type { ProductName } from '../server/product.ts'
import { findUnenforced } from './schema-parts.ts'

export type RequestBody = Record<string, unknown>

export interface ServerModel {
  /** The server's name for it. */
  id: string
  product: ProductName
  contextLength: number
  /** Undefined if the server doesn't report it. */
  slots?: number | undefined
  abilities: Abilities
}

export function requestBody(job: ChatJob, model: ServerModel, choices: number): RequestBody {
  const { abilities } = model
  const tools = job.toolChoice === 'none' ? undefined : job.tools
  const isStreamed = tools === undefined || abilities.tools !== 'whole'
  return {
    model: model.id,
    messages: job.messages.map(toMessage),
    // The defaults of the reference API, because each server has its own.
    ...(job.topP === 0
      ? { temperature: 0, top_p: 1 } // Also picks the likeliest token; some servers reject top_p 0.
      : { temperature: job.temperature ?? 1, top_p: job.topP ?? 1 }),
    ...(job.maxTokens !== undefined && { [abilities.limitField]: job.maxTokens }),
    ...(job.frequencyPenalty !== undefined && { frequency_penalty: job.frequencyPenalty }),
    ...(job.presencePenalty !== undefined && { presence_penalty: job.presencePenalty }),
    ...(choices > 1 && { n: choices }),
    ...(job.logprobs && { logprobs: true, ...(job.logprobs.top > 0 && { top_logprobs: job.logprobs.top }) }),
    ...(job.logitBias && { logit_bias: job.logitBias }),
    ...(job.responseFormat && { response_format: toFormat(job.responseFormat, abilities) }),
    ...(tools && { tools: tools.map((tool, index) => toTool(tool, index, abilities)) }),
    ...(job.reasoningEffort && { reasoning_effort: job.reasoningEffort }),
    ...(isStreamed ? streamFields(model.product, abilities.usage) : { stream: false }),
  }
}

/** Makes the server stream and report usage along the way, so that an answer we cut off is still counted exactly. */
export function streamFields(product: ProductName, withUsage: boolean): RequestBody {
  return {
    stream: true,
    ...(withUsage && {
      stream_options: { include_usage: true, ...(product === 'vllm' && { continuous_usage_stats: true }) },
    }),
    ...(product === 'llama-server' && { timings_per_token: true, return_progress: true }),
  }
}

function toMessage(message: JobMessage): Record<string, unknown> {
  const { role, content, name } = message
  const base = { role, content, ...(name !== undefined && { name }) }
  if (message.role === 'tool') return { ...base, tool_call_id: message.toolCallId }
  if (message.role !== 'assistant' || message.toolCalls === undefined) return base
  const calls = message.toolCalls.map(({ id, name, arguments: given }) => ({
    id,
    type: 'function',
    function: { name, arguments: given },
  }))
  return { ...base, tool_calls: calls }
}

function toTool(tool: JobTool, index: number, { schemaParts }: Abilities): Record<string, unknown> {
  const { name, description, parameters, strict } = tool
  // Without `strict` the schema only guides the model; with it, the arguments must be valid.
  if (strict === true && parameters !== undefined)
    rejectUnenforced(parameters, schemaParts, 'invalid_function_parameters', `tools[${index}].function.parameters`)
  return {
    type: 'function',
    function: {
      name,
      ...(description !== undefined && { description }),
      parameters: parameters ?? { type: 'object', properties: {} },
      ...(strict !== undefined && { strict }),
    },
  }
}

function toFormat(format: ResponseFormat, abilities: Abilities): Record<string, unknown> {
  if (format.type === 'json_object')
    return abilities.jsonObject === 'json_schema' ? schemaFormat('object', { type: 'object' }) : { type: 'json_object' }
  rejectUnenforced(format.schema, abilities.schemaParts, 'invalid_json_schema', 'response_format')
  return schemaFormat(format.name, format.schema, format.description)
}

function rejectUnenforced(schema: JsonSchema, parts: readonly string[], code: JobErrorCode, param: string): void {
  const found = findUnenforced(schema, parts)
  if (found === undefined) return
  const message = `Invalid schema at ${found.place}: the device's server does not enforce "${found.keyword}"`
  throw new EngineError(code, message, { param })
}

export function schemaFormat(name: string, schema: unknown, description?: string): Record<string, unknown> {
  return {
    type: 'json_schema',
    json_schema: { name, ...(description !== undefined && { description }), strict: true, schema },
  }
}
