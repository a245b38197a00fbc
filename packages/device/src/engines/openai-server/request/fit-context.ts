// Ollama silently drops part of a conversation that is too long. So a conversation that might be too long is first sent to Ollama's native
// API, where truncation can be turned off. This costs little: Ollama caches the prompt it has processed.

import type { ChatJob, JobMessage } from '@hearth/protocol'
import { tooLong } from '../../too-long.ts'
import { callJson } from '../http/http-call.ts'
import type { ServerModel } from './request-body.ts'
import type { ServerAddress } from '../http/server-address.ts'
import { isTooLong } from '../http/server-error.ts'

/** With at most this many bytes per token of context, a conversation fits in any language. */
const SURELY_FITS = 2
/** Average bytes per token; used if an old Ollama can't tell. */
const USUALLY_FITS = 3

/** Throws EngineError if the conversation doesn't fit. */
export async function rejectTooLong(
  job: ChatJob,
  model: ServerModel,
  address: ServerAddress,
  signal: AbortSignal,
): Promise<void> {
  const bytes = Buffer.byteLength(JSON.stringify([job.messages, job.tools]))
  if (model.product !== 'ollama' || bytes <= model.contextLength * SURELY_FITS) return
  const { status, value } = await callJson(address, '/api/chat', toOllama(job, model), signal)
  if (isTooLong(value)) throw tooLong(model.contextLength)
  if (status !== 200 && bytes > model.contextLength * USUALLY_FITS) throw tooLong(model.contextLength)
}

function toOllama(job: ChatJob, model: ServerModel): Record<string, unknown> {
  return {
    model: model.id,
    messages: job.messages.map(toOllamaMessage),
    stream: false,
    truncate: false,
    options: { num_predict: 1 },
  }
}

function toOllamaMessage(message: JobMessage): Record<string, unknown> {
  const { role, content } = message
  if (message.role !== 'assistant' || message.toolCalls === undefined) return { role, content }
  // The native API takes arguments as an object. Only their length matters here.
  const calls = message.toolCalls.map((call) => ({
    function: { name: call.name, arguments: { given: call.arguments } },
  }))
  return { role, content, tool_calls: calls }
}
