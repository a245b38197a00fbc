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

/** For templates that expect every parameter to have one type: `string | null` is neither of the two to them, as in Python. */
export function withNamedTypes(tool: TemplateTool): TemplateTool {
  return { ...tool, function: { ...tool.function, parameters: nameTypes(tool.function.parameters) } }
}

function nameTypes(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(nameTypes)
  if (typeof schema !== 'object' || schema === null) return schema
  const named = Object.entries(schema).map(([key, value]): [string, unknown] => {
    if (key === 'type' && Array.isArray(value)) return [key, value.join(' | ')]
    return [key, key === 'properties' ? typeAll(nameTypes(value)) : nameTypes(value)]
  })
  return Object.fromEntries(named)
}

function typeAll(properties: unknown): unknown {
  if (typeof properties !== 'object' || properties === null) return properties
  const typed = Object.entries(properties).map(([name, schema]: [string, unknown]): [string, unknown] => [
    name,
    typeof schema === 'object' && schema !== null ? { type: 'any', ...schema } : schema,
  ])
  return Object.fromEntries(typed)
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
  const text = instructions.join('\n\n')
  const asked = rest.find(({ role }) => role === 'user')
  if (asked === undefined) return [{ role: 'user', content: text }, ...rest]
  const begun = { ...asked, content: `${text}\n\n${asked.content}` }
  return rest.map((message) => (message === asked ? begun : message))
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

/** For templates that take one call per reply: each call becomes a reply of its own, followed by its result. */
export function toSingleCalls(messages: readonly TemplateMessage[]): TemplateMessage[] {
  const isOneOfMany = ({ tool_call_id: id }: TemplateMessage) =>
    messages.some(({ tool_calls: calls = [] }) => calls.length > 1 && calls.some((call) => call.id === id))
  return messages.flatMap((message) => {
    const { tool_calls: calls = [] } = message
    if (calls.length < 2) return message.role === 'tool' && isOneOfMany(message) ? [] : [message]
    return calls.flatMap((call, index) => [
      { ...message, content: index === 0 ? message.content : '', tool_calls: [call] },
      ...messages.filter(({ tool_call_id: id }) => id === call.id),
    ])
  })
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
