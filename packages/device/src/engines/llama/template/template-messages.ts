// Converts a job's messages to the shape that chat templates expect, and adapts them for templates that support less than the API.

import type { JobMessage, JobTool, ToolCall } from '@hearth/protocol'
import { createHash } from 'node:crypto'

export interface TemplateMessage {
  role: 'system' | 'user' | 'assistant' | 'tool'
  content: string
  name?: string
  tool_call_id?: string
  tool_calls?: TemplateCall[]
  /** The thinking before the reply; templates have different names for it. */
  reasoning_content?: string
  reasoning?: string
  thinking?: string
}

export interface TemplateCall {
  id: string
  type: 'function'
  function: { name: string; arguments: unknown }
}

export interface TemplateTool {
  type: 'function'
  function: { name: string; description: string; parameters: unknown }
}

/** The abilities of a template, found by rendering it (see template-traits.ts). */
export interface TemplateTraits {
  hasSystem: boolean
  hasTools: boolean
  /** Whether calls in earlier replies are shown. */
  hasCalls: boolean
  hasToolResults: boolean
  /** Some templates turn a call's arguments into JSON themselves, others expect JSON text. */
  takesArguments: 'object' | 'text'
}

export function toTemplateTools(tools: readonly JobTool[]): TemplateTool[] {
  return tools.map(({ name, description = '', parameters = { type: 'object', properties: {} } }) => ({
    type: 'function',
    function: { name, description, parameters },
  }))
}

export function toTemplateMessages(messages: readonly JobMessage[], traits: TemplateTraits): TemplateMessage[] {
  const names = new Map(messages.flatMap(callsOf).map(({ id, name }) => [id, name]))
  const shaped = messages.map((message) => shape(message, names, traits))
  return traits.hasSystem ? shaped : foldSystem(shaped)
}

function callsOf(message: JobMessage): readonly ToolCall[] {
  return message.role === 'assistant' ? (message.toolCalls ?? []) : []
}

function shape(message: JobMessage, names: Map<string, string>, traits: TemplateTraits): TemplateMessage {
  const { role, content } = message
  if (role === 'tool') {
    const name = message.name ?? names.get(message.toolCallId)
    return { role, content, tool_call_id: message.toolCallId, ...(name === undefined ? {} : { name }) }
  }
  const calls = callsOf(message)
  return {
    role,
    content,
    ...(message.name === undefined ? {} : { name: message.name }),
    ...(calls.length === 0 ? {} : { tool_calls: calls.map((call) => shapeCall(call, traits)) }),
  }
}

function shapeCall({ id, name, arguments: text }: ToolCall, traits: TemplateTraits): TemplateCall {
  return {
    id,
    type: 'function',
    function: { name, arguments: traits.takesArguments === 'text' ? text : parseOrText(text) },
  }
}

function parseOrText(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text === '' ? '{}' : text)
    return typeof value === 'object' && value !== null ? value : text
  } catch {
    return text
  }
}

/** For templates without a system role: the first user message begins with the instructions. */
function foldSystem(messages: readonly TemplateMessage[]): TemplateMessage[] {
  const instructions = messages.filter(({ role }) => role === 'system').map(({ content }) => content)
  const rest = messages.filter(({ role }) => role !== 'system')
  if (instructions.length === 0) return rest
  const first = rest.findIndex(({ role }) => role === 'user')
  const text = instructions.join('\n\n')
  if (first < 0) return [{ role: 'user', content: text }, ...rest]
  const asked = rest[first]!
  return rest.with(first, { ...asked, content: `${text}\n\n${asked.content}` })
}

/**
 * For templates with a strict order: all instructions in one message at the start, then user and assistant in turns, user first, and call
 * ids of nine letters and digits.
 */
export function toStrictMessages(messages: readonly TemplateMessage[]): TemplateMessage[] {
  const system = messages.filter(({ role }) => role === 'system').map(({ content }) => content)
  const turns: TemplateMessage[] = []
  for (const message of messages.filter(({ role }) => role !== 'system').map(withShortIds)) {
    const last = turns.at(-1)
    if (last === undefined && message.role !== 'user') turns.push({ role: 'user', content: '' })
    if (last !== undefined && isJoinable(last, message))
      turns[turns.length - 1] = { ...message, content: `${last.content}\n\n${message.content}` }
    else turns.push(message)
  }
  return system.length === 0 ? turns : [{ role: 'system', content: system.join('\n\n') }, ...turns]
}

function isJoinable(a: TemplateMessage, b: TemplateMessage): boolean {
  return a.role === b.role && a.role !== 'tool' && a.tool_calls === undefined
}

function withShortIds(message: TemplateMessage): TemplateMessage {
  const { tool_calls: calls, tool_call_id: id } = message
  return {
    ...message,
    ...(id === undefined ? {} : { tool_call_id: shortId(id) }),
    ...(calls === undefined ? {} : { tool_calls: calls.map((call) => ({ ...call, id: shortId(call.id) })) }),
  }
}

function shortId(id: string): string {
  return createHash('sha256').update(id).digest('hex').slice(0, 9)
}
