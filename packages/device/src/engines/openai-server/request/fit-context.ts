// Keeps an answer within the context on Ollama, which says nothing when it is full: it drops the start of a conversation that is too long, and
// of one that becomes too long in mid-answer. So the answer gets what the conversation leaves of the context. If it is not plain that the
// conversation leaves enough, Ollama counts it, with truncation turned off. That costs little, because Ollama keeps the prompt it has read.

import type { ChatJob, JobMessage } from '@hearth/protocol'
import { parseFields, asFields, count } from '@hearth/sealing/fields'
import { tooLong } from '../../too-long.ts'
import { callJson } from '../http/http-call.ts'
import { requestBody, type ServerModel } from './request-body.ts'
import type { ServerAddress } from '../http/server-address.ts'
import { isTooLong } from '../http/server-error.ts'

/** An answer without a limit gets at least this part of the context before it is worth counting the prompt. */
const ENOUGH = 7 / 8
/** Average bytes per token; used if an old Ollama can't tell. */
const USUAL_BYTES = 3
/** What a template may add to a conversation, beyond what it adds to the shortest one, and for tools. */
const SPARE_TOKENS = 64
const SPARE_TOOL_TOKENS = 1_024

/** Returns the job with a limit that it can't exceed; throws EngineError if the conversation doesn't fit. */
export async function fitContext(
  job: ChatJob,
  model: ServerModel,
  address: ServerAddress,
  signal: AbortSignal,
): Promise<ChatJob> {
  if (model.product !== 'ollama') return job
  const { contextLength } = model
  const wanted = job.maxTokens ?? Number.POSITIVE_INFINITY
  const left = contextLength - mostTokens(job, model)
  if (left >= Math.min(wanted, contextLength * ENOUGH)) return { ...job, maxTokens: Math.min(wanted, left) }
  const tokens = await countPrompt(job, model, address, signal)
  if (tokens >= contextLength) throw tooLong(contextLength, { tokens, maxTokens: job.maxTokens })
  return { ...job, maxTokens: Math.min(wanted, contextLength - tokens) }
}

/** In every language, a token has at least one byte. */
function mostTokens(job: ChatJob, { abilities }: ServerModel): number {
  const spare = job.tools === undefined ? SPARE_TOKENS : SPARE_TOOL_TOKENS
  return bytesOf(job) + spare + (abilities.templateTokens ?? Number.POSITIVE_INFINITY)
}

function bytesOf({ messages, tools }: ChatJob): number {
  return Buffer.byteLength(JSON.stringify([messages, tools]))
}

async function countPrompt(
  job: ChatJob,
  model: ServerModel,
  address: ServerAddress,
  signal: AbortSignal,
): Promise<number> {
  const { status, value } = await callJson(address, '/api/chat', toOllama(job, model), signal)
  if (isTooLong(value)) throw tooLong(model.contextLength)
  const counted = status === 200 ? count(asFields(value), 'prompt_eval_count') : undefined
  return counted || Math.ceil(bytesOf(job) / USUAL_BYTES)
}

function toOllama(job: ChatJob, model: ServerModel): Record<string, unknown> {
  const { tools, reasoning_effort: think } = requestBody(job, model, 1)
  return {
    model: model.id,
    messages: job.messages.map((message) => toOllamaMessage(message, job.messages)),
    ...(tools !== undefined && { tools }),
    ...(think !== undefined && { think }),
    stream: false,
    truncate: false,
    options: { num_predict: 1 },
  }
}

function toOllamaMessage(message: JobMessage, all: readonly JobMessage[]): Record<string, unknown> {
  const { role, content } = message
  if (message.role === 'tool') return { role, content, tool_name: calledBy(message.toolCallId, all) }
  if (message.role !== 'assistant' || message.toolCalls === undefined) return { role, content }
  // The native API takes arguments as an object.
  const calls = message.toolCalls.map(({ name, arguments: given }) => ({
    function: { name, arguments: parseFields(given) ?? { given } },
  }))
  return { role, content, tool_calls: calls }
}

function calledBy(id: string, all: readonly JobMessage[]): string | undefined {
  const calls = all.flatMap((message) => (message.role === 'assistant' ? (message.toolCalls ?? []) : []))
  return calls.find((call) => call.id === id)?.name
}
