// Turns the body of a chat request into a job, for test servers with an engine behind them. It doesn't validate anything.

import type { ChatJob, JobMessage, JobTool, JsonSchema, ResponseFormat } from '@hearth/protocol'

export interface WireBody {
  model: string
  messages: WireMessage[]
  stream?: boolean
  stream_options?: { include_usage?: boolean }
  temperature?: number
  top_p?: number
  max_tokens?: number
  frequency_penalty?: number
  presence_penalty?: number
  stop?: string[]
  n?: number
  logprobs?: boolean
  top_logprobs?: number
  logit_bias?: Record<string, number>
  reasoning_effort?: 'low' | 'medium' | 'high'
  tools?: { function: JobTool }[]
  response_format?: { type: 'json_object' } | { type: 'json_schema'; json_schema: { name: string; schema: JsonSchema } }
}

interface WireMessage {
  role: JobMessage['role']
  content: string | null
  tool_calls?: { id: string; function: { name: string; arguments: string } }[]
  tool_call_id?: string
}

export function readChatBody(body: WireBody): ChatJob {
  return {
    model: body.model,
    messages: body.messages.map(readMessage),
    ...(body.temperature !== undefined && { temperature: body.temperature }),
    ...(body.top_p !== undefined && { topP: body.top_p }),
    ...(body.max_tokens !== undefined && { maxTokens: body.max_tokens }),
    ...(body.frequency_penalty !== undefined && { frequencyPenalty: body.frequency_penalty }),
    ...(body.presence_penalty !== undefined && { presencePenalty: body.presence_penalty }),
    ...(body.stop !== undefined && { stop: body.stop }),
    ...(body.n !== undefined && { n: body.n }),
    ...(body.logprobs === true && { logprobs: { top: body.top_logprobs ?? 0 } }),
    ...(body.logit_bias !== undefined && { logitBias: body.logit_bias }),
    ...(body.reasoning_effort !== undefined && { reasoningEffort: body.reasoning_effort }),
    ...(body.tools !== undefined && { tools: body.tools.map((tool) => tool.function) }),
    ...(body.response_format !== undefined && { responseFormat: readFormat(body.response_format) }),
  }
}

function readMessage({ role, content, tool_calls: calls, tool_call_id: id }: WireMessage): JobMessage {
  const text = content ?? ''
  if (role === 'tool') return { role, content: text, toolCallId: id ?? '' }
  if (role !== 'assistant' || calls === undefined) return { role, content: text }
  const toolCalls = calls.map((call) => ({ id: call.id, name: call.function.name, arguments: call.function.arguments }))
  return { role, content: text, toolCalls }
}

function readFormat(format: NonNullable<WireBody['response_format']>): ResponseFormat {
  return format.type === 'json_object' ? format : { type: 'json_schema', ...format.json_schema }
}
