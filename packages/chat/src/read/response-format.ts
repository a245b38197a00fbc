// Reads the response format. Text is the default and asks for nothing.

import type { Fields, ResponseFormat } from '@hearth/protocol'
import { readFlag, readObject, readText, required, requireText, wrongValue } from '../json/fields.ts'
import { checkName } from './tools.ts'

const TYPES = ['json_object', 'json_schema', 'text'] as const
const NAME_PATTERN = /^[a-zA-Z0-9_-]+$/

export function readResponseFormat(body: Fields): ResponseFormat | undefined {
  const format = readObject(body, 'response_format')
  if (format === undefined) return undefined
  const type = requireText(format, 'type', 'response_format')
  if (type === 'text') return undefined
  if (type === 'json_object') return { type }
  if (type === 'json_schema') return readJsonSchema(format)
  throw wrongValue('response_format.type', type, TYPES)
}

// Without a schema, the format promises only JSON: the same as json_object.
function readJsonSchema(format: Fields): ResponseFormat {
  const path = 'response_format.json_schema'
  const fields = required(readObject(format, 'json_schema', 'response_format'), 'json_schema', 'response_format')
  const name = checkName(requireText(fields, 'name', path), `${path}.name`, NAME_PATTERN)
  const description = readText(fields, 'description', path)
  const schema = readObject(fields, 'schema', path)
  readFlag(fields, 'strict', path)
  if (schema === undefined) return { type: 'json_object' }
  return { type: 'json_schema', name, ...(description !== undefined && { description }), schema }
}
