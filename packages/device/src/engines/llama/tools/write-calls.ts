// Writes earlier calls the way the model writes them, for templates that leave them out.

import type { JobMessage, ToolCall } from '@hearth/protocol'
import { KEY, type ArgumentTags, type ToolSyntax, type Wording } from '../../formats/tool-syntax.ts'

export function writeCallsAsModel(messages: readonly JobMessage[], syntax: ToolSyntax): JobMessage[] {
  return messages.map((message) => {
    if (message.role !== 'assistant' || message.toolCalls === undefined) return message
    const { toolCalls, ...rest } = message
    return { ...rest, content: `${message.content}${writeCalls(toolCalls, syntax)}` }
  })
}

/** Several calls of one reply. */
export function writeCalls(calls: readonly ToolCall[], { begin, middle, between, end, tags }: ToolSyntax): string {
  const written = calls.map((call, index) => {
    const place = { id: call.id, number: String(index), word: 'object' }
    const before = fill(index === 0 ? begin : (between ?? [...end, ...begin]), place)
    return `${before}${call.name}${fill(middle, place)}${writeArguments(call.arguments || '{}', tags)}`
  })
  return `${written.join('')}${fill(end, { id: '', number: '0', word: '' })}`
}

function fill(wording: Wording, place: Record<'id' | 'number' | 'word', string>): string {
  return wording.map((part) => (typeof part === 'string' ? part : place[part.any])).join('')
}

function writeArguments(json: string, tags: ArgumentTags | undefined): string {
  const values = tags === undefined ? undefined : parse(json)
  if (tags === undefined || values === undefined) return json
  const { keyOpen, assign, valueClose, glue, stringOpen, stringClose } = tags
  const written = Object.entries(values).map(([key, value]) => {
    const isPlain = typeof value === 'string' && keyOpen !== ''
    const text = isPlain ? `${stringOpen}${value}${stringClose}` : JSON.stringify(value)
    return `${keyOpen}${key}${assign}${text}${valueClose.replace(KEY, key)}`
  })
  return written.join(glue)
}

function parse(json: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(json)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}
