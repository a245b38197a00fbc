// Reads the conversation: developer becomes system, and the deprecated function_call and function role become tool calls and tool results.

import type { Fields, JobMessage, ToolCall } from '@hearth/protocol'
import { ApiError } from '../errors.ts'
import {
  asObject,
  readObjects,
  readObject,
  readText,
  required,
  requireText,
  sent,
  tooLong,
  wrongType,
  wrongValue,
  type Path,
} from '../json/fields.ts'

const ROLES = ['system', 'assistant', 'user', 'function', 'tool', 'developer'] as const

export function requireMessages(body: Fields): readonly unknown[] {
  const messages = required(readObjects(body, 'messages'), 'messages')
  if (messages.length > 0) return messages
  throw new ApiError(
    'empty_array',
    `Invalid 'messages': empty array. Expected an array with minimum length 1, but got an empty array instead.`,
    'messages',
  )
}

export function readMessages(items: readonly unknown[], maxMessages: number): JobMessage[] {
  if (items.length > maxMessages) throw tooLong('messages', maxMessages, items.length)
  const calls = new LegacyCalls()
  return items.map((item, index) => {
    const path = `messages[${index}]`
    return readMessage(asObject(item, path), path, calls)
  })
}

function readMessage(fields: Fields, path: Path, calls: LegacyCalls): JobMessage {
  const role = requireText(fields, 'role', path)
  switch (role) {
    case 'system':
    case 'developer':
      return named({ role: 'system', content: requireContent(fields, path) }, fields, path)
    case 'user':
      return named({ role: 'user', content: requireContent(fields, path) }, fields, path)
    case 'assistant':
      return readAssistant(fields, path, calls)
    case 'tool':
      return readToolResult(fields, path)
    case 'function':
      return readFunctionResult(fields, path, calls)
    default:
      throw wrongValue(`${path}.role`, role, ROLES)
  }
}

function requireContent(fields: Fields, path: Path): string {
  if (fields['content'] === null) throw wrongType(`${path}.content`, 'a string', null)
  return readContent(required(fields['content'], 'content', path), path)
}

function readOptionalContent(fields: Fields, path: Path): string {
  const content = sent(fields, 'content')
  return content === undefined ? '' : readContent(content, path)
}

function named<Message extends JobMessage>(message: Message, fields: Fields, path: Path): Message {
  const name = readText(fields, 'name', path)
  if (name !== undefined) message.name = name
  return message
}

function readAssistant(fields: Fields, path: Path, calls: LegacyCalls): JobMessage {
  const toolCalls = readToolCalls(fields, path) ?? readFunctionCall(fields, path, calls)
  const message = named({ role: 'assistant', content: readOptionalContent(fields, path) }, fields, path)
  return toolCalls === undefined ? message : { ...message, toolCalls }
}

function readToolCalls(fields: Fields, path: Path): ToolCall[] | undefined {
  const items = readObjects(fields, 'tool_calls', path)
  if (items === undefined || items.length === 0) return undefined
  return items.map((item, index) => readToolCall(item, `${path}.tool_calls[${index}]`))
}

function readToolCall(item: unknown, path: Path): ToolCall {
  const fields = asObject(item, path)
  const id = requireText(fields, 'id', path)
  const type = readText(fields, 'type', path) ?? 'function'
  if (type !== 'function') throw wrongValue(`${path}.type`, type, ['function'])
  const called = required(readObject(fields, 'function', path), 'function', path)
  return { id, ...readCalled(called, `${path}.function`) }
}

function readCalled(fields: Fields, path: Path): { name: string; arguments: string } {
  return {
    name: requireText(fields, 'name', path),
    arguments: requireText(fields, 'arguments', path),
  }
}

function readFunctionCall(fields: Fields, path: Path, calls: LegacyCalls): ToolCall[] | undefined {
  const called = readObject(fields, 'function_call', path)
  if (called === undefined) return undefined
  const call = readCalled(called, `${path}.function_call`)
  return [{ id: calls.open(call.name), ...call }]
}

function readToolResult(fields: Fields, path: Path): JobMessage {
  const toolCallId = readText(fields, 'tool_call_id', path)
  if (toolCallId === undefined)
    throw new ApiError(
      'missing_required_parameter',
      `Missing parameter 'tool_call_id': messages with role 'tool' must have a 'tool_call_id'.`,
      `${path}.tool_call_id`,
    )
  return named({ role: 'tool', content: requireContent(fields, path), toolCallId }, fields, path)
}

function readFunctionResult(fields: Fields, path: Path, calls: LegacyCalls): JobMessage {
  const name = requireText(fields, 'name', path)
  return { role: 'tool', content: readOptionalContent(fields, path), toolCallId: calls.answer(name), name }
}

/**
 * Deprecated calls have no id. A result belongs to the latest unanswered call of its name; a result
 * without a call gets a new id.
 */
class LegacyCalls {
  #next = 0
  readonly #open = new Map<string, string[]>()

  open(name: string): string {
    const id = this.#newId()
    this.#open.set(name, [...(this.#open.get(name) ?? []), id])
    return id
  }

  answer(name: string): string {
    return this.#open.get(name)?.pop() ?? this.#newId()
  }

  #newId(): string {
    return `call_legacy_${this.#next++}`
  }
}

/** A string, or text parts that are joined without a separator. */
function readContent(value: unknown, path: Path): string {
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return value.map((part, index) => readPart(part, `${path}.content[${index}]`)).join('')
  throw wrongType(`${path}.content`, 'one of a string or array of objects', value)
}

function readPart(part: unknown, path: Path): string {
  const fields = asObject(part, path)
  const type = requireText(fields, 'type', path)
  if (type !== 'text')
    throw new ApiError(
      'unsupported_content_part',
      `Invalid content part: only parts of type 'text' are accepted. This service does not support images, audio or files.`,
      `${path}.type`,
    )
  return requireText(fields, 'text', path)
}
