// Reads the conversation: developer becomes system, and the deprecated function_call and function role become tool calls and tool results.

import type { Fields, JobMessage, ToolCall } from '@hearth/protocol'
import { ApiError } from '../errors.ts'
import {
  asObject,
  readList,
  readObject,
  readText,
  required,
  sent,
  tooLong,
  wrongType,
  wrongValue,
  type Path,
} from '../json/fields.ts'

const ROLES = ['system', 'assistant', 'user', 'function', 'tool', 'developer'] as const
const EXPECTED = 'an array of objects'

export function requireMessages(body: Fields): readonly unknown[] {
  const messages = required(readList(body, 'messages', 'messages', EXPECTED), 'messages')
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
  const role = required(readText(fields, 'role', `${path}.role`), `${path}.role`)
  switch (role) {
    case 'system':
    case 'developer':
      return { role: 'system', content: requireContent(fields, path), ...readName(fields, path) }
    case 'user':
      return { role: 'user', content: requireContent(fields, path), ...readName(fields, path) }
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
  return readContent(required(fields['content'], `${path}.content`), `${path}.content`)
}

function readOptionalContent(fields: Fields, path: Path): string {
  const content = sent(fields, 'content')
  return content === undefined ? '' : readContent(content, `${path}.content`)
}

function readName(fields: Fields, path: Path): { name?: string } {
  const name = readText(fields, 'name', `${path}.name`)
  return name === undefined ? {} : { name }
}

function readAssistant(fields: Fields, path: Path, calls: LegacyCalls): JobMessage {
  const toolCalls = readToolCalls(fields, path) ?? readFunctionCall(fields, path, calls)
  return {
    role: 'assistant',
    content: readOptionalContent(fields, path),
    ...readName(fields, path),
    ...(toolCalls && { toolCalls }),
  }
}

function readToolCalls(fields: Fields, path: Path): ToolCall[] | undefined {
  const items = readList(fields, 'tool_calls', `${path}.tool_calls`, EXPECTED)
  if (items === undefined || items.length === 0) return undefined
  return items.map((item, index) => readToolCall(item, `${path}.tool_calls[${index}]`))
}

function readToolCall(item: unknown, path: Path): ToolCall {
  const fields = asObject(item, path)
  const id = required(readText(fields, 'id', `${path}.id`), `${path}.id`)
  const type = readText(fields, 'type', `${path}.type`) ?? 'function'
  if (type !== 'function') throw wrongValue(`${path}.type`, type, ['function'])
  const called = required(readObject(fields, 'function', `${path}.function`), `${path}.function`)
  return { id, ...readCalled(called, `${path}.function`) }
}

function readCalled(fields: Fields, path: Path): { name: string; arguments: string } {
  return {
    name: required(readText(fields, 'name', `${path}.name`), `${path}.name`),
    arguments: required(readText(fields, 'arguments', `${path}.arguments`), `${path}.arguments`),
  }
}

function readFunctionCall(fields: Fields, path: Path, calls: LegacyCalls): ToolCall[] | undefined {
  const called = readObject(fields, 'function_call', `${path}.function_call`)
  if (called === undefined) return undefined
  const call = readCalled(called, `${path}.function_call`)
  return [{ id: calls.open(call.name), ...call }]
}

function readToolResult(fields: Fields, path: Path): JobMessage {
  const toolCallId = readText(fields, 'tool_call_id', `${path}.tool_call_id`)
  if (toolCallId === undefined)
    throw new ApiError(
      'missing_required_parameter',
      `Missing parameter 'tool_call_id': messages with role 'tool' must have a 'tool_call_id'.`,
      `${path}.tool_call_id`,
    )
  return { role: 'tool', content: requireContent(fields, path), toolCallId, ...readName(fields, path) }
}

function readFunctionResult(fields: Fields, path: Path, calls: LegacyCalls): JobMessage {
  const name = required(readText(fields, 'name', `${path}.name`), `${path}.name`)
  return { role: 'tool', content: readOptionalContent(fields, path), toolCallId: calls.answer(name), name }
}

// Deprecated calls have no id. A result belongs to the latest unanswered call of its name; a result without a call gets a new id.
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

// Reads the content of a message: a string, or text parts that are joined without a separator.
function readContent(value: unknown, path: Path): string {
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return value.map((part, index) => readPart(part, `${path}[${index}]`)).join('')
  throw wrongType(path, 'one of a string or array of objects', value)
}

function readPart(part: unknown, path: Path): string {
  const fields = asObject(part, path)
  const type = required(readText(fields, 'type', `${path}.type`), `${path}.type`)
  if (type !== 'text')
    throw new ApiError(
      'unsupported_content_part',
      `Invalid content part: only parts of type 'text' are accepted. This service does not support images, audio or files.`,
      `${path}.type`,
    )
  return required(readText(fields, 'text', `${path}.text`), `${path}.text`)
}
