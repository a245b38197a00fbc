// Readers for the values inside a job. An error names the whole path of the field: `messages[2].toolCalls[0].id`.

import type {
  BegunChoice,
  ChatJob,
  JobMessage,
  JobTool,
  PrefixScope,
  Recovery,
  ResponseFormat,
  ToolCall,
  WebSearch,
} from './chat-job.ts'
import { MAX_RECOVERY_TOKENS, MAX_TOKEN_ID } from '../limits.ts'
import {
  asCount,
  asFlag,
  asList,
  asNumber,
  asObject,
  asText,
  asWord,
  isAbsent,
  ProtocolError,
  readList,
  type Fields,
  type Read,
} from '../read-fields.ts'

const ROLES: readonly JobMessage['role'][] = ['system', 'user', 'assistant', 'tool']
const FORMATS: readonly ResponseFormat['type'][] = ['json_object', 'json_schema']
const LEVELS = ['low', 'medium', 'high'] as const
const TOKEN_ID = /^\d+$/

export function asMessage(value: unknown, path: string): JobMessage {
  const fields = asObject(value, path)
  const role = inside(fields, 'role', path, oneOf(ROLES))
  const said = { content: inside(fields, 'content', path, asText), ...optionalInside(fields, 'name', path, asText) }
  switch (role) {
    case 'system':
    case 'user':
      return { role, ...said }
    case 'assistant':
      return { role, ...said, ...optionalInside(fields, 'toolCalls', path, listOf(asToolCall)) }
    case 'tool':
      return { role, ...said, toolCallId: inside(fields, 'toolCallId', path, asText) }
    default:
      return role satisfies never
  }
}

function asToolCall(value: unknown, path: string): ToolCall {
  const fields = asObject(value, path)
  return {
    id: inside(fields, 'id', path, asText),
    name: inside(fields, 'name', path, asText),
    arguments: inside(fields, 'arguments', path, asText),
  }
}

export function asTool(value: unknown, path: string): JobTool {
  const fields = asObject(value, path)
  return {
    name: inside(fields, 'name', path, asText),
    ...optionalInside(fields, 'description', path, asText),
    ...optionalInside(fields, 'parameters', path, asObject),
    ...optionalInside(fields, 'strict', path, asFlag),
  }
}

export function asResponseFormat(value: unknown, path: string): ResponseFormat {
  const fields = asObject(value, path)
  const type = inside(fields, 'type', path, oneOf(FORMATS))
  if (type === 'json_object') return { type }
  return {
    type,
    name: inside(fields, 'name', path, asText),
    ...optionalInside(fields, 'description', path, asText),
    schema: inside(fields, 'schema', path, asObject),
  }
}

export function asLogprobs(value: unknown, path: string): NonNullable<ChatJob['logprobs']> {
  return { top: inside(asObject(value, path), 'top', path, (top, name) => asCount(top, name, 20)) }
}

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

export function asWebSearch(value: unknown, path: string): WebSearch {
  const fields = asObject(value, path)
  return {
    ...optionalInside(fields, 'contextSize', path, asLevel),
    ...optionalInside(fields, 'location', path, asLocation),
  }
}

export function asPrefixScope(value: unknown, path: string): PrefixScope {
  const fields = asObject(value, path)
  return {
    name: inside(fields, 'name', path, asText),
    ...optionalInside(fields, 'isSeparate', path, asFlag),
  }
}

export function asRecovery(value: unknown, path: string): Recovery {
  const fields = asObject(value, path)
  return {
    ...optionalInside(fields, 'bareId', path, asFlag),
    ...optionalInside(fields, 'choices', path, listOf(asBegunChoice)),
  }
}

function asBegunChoice(value: unknown, path: string): BegunChoice {
  const fields = asObject(value, path)
  return {
    tokens: readList(fields, 'tokens', MAX_RECOVERY_TOKENS, asTokenId),
    length: inside(fields, 'length', path, asCount),
    checksum: inside(fields, 'checksum', path, asCount),
    hasCalls: inside(fields, 'hasCalls', path, asFlag),
  }
}

function asTokenId(value: unknown, name: string): number {
  return asCount(value, name, MAX_TOKEN_ID)
}

function asLocation(value: unknown, path: string): NonNullable<WebSearch['location']> {
  const fields = asObject(value, path)
  return {
    ...optionalInside(fields, 'city', path, asText),
    ...optionalInside(fields, 'country', path, asText),
    ...optionalInside(fields, 'region', path, asText),
    ...optionalInside(fields, 'timezone', path, asText),
  }
}

export const asLevel = oneOf(LEVELS)

export function oneOf<Word extends string>(words: readonly Word[]): Read<Word> {
  return (value, path) => asWord(value, path, words)
}

export function listOf<Item>(read: Read<Item>): Read<Item[]> {
  return (value, path) => asList(value, path, read)
}

function inside<Value>(fields: Fields, name: string, path: string, read: Read<Value>): Value {
  return read(fields[name], `${path}.${name}`)
}

function optionalInside<Name extends string, Value>(
  fields: Fields,
  name: Name,
  path: string,
  read: Read<Value>,
): { [key in Name]?: Value } {
  if (isAbsent(fields[name])) return {}
  return { [name]: inside(fields, name, path, read) } as { [key in Name]?: Value }
}
