// Turns the text of one argument into JSON, by the schema of its parameter: text stays exactly as the model wrote it.

import { isObject, type Schema } from '@hearth/json-schema-grammar'
import { readArgumentLiteral } from './literals.ts'

/** Undefined if the text can't be a value of this schema. */
export function toJsonValue(raw: string, schema: Schema | undefined): string | undefined {
  if (isTextOnly(schema)) return JSON.stringify(raw)
  const types = typesOf(schema)
  const json = readJson(raw)
  if (types === undefined) return json ?? JSON.stringify(raw)
  if (json !== undefined && (isOfType(json, types) || !types.has('string'))) return json
  return types.has('string') ? JSON.stringify(raw) : undefined
}

/** Whether a value of this schema is written as plain text, not as JSON. */
export function isTextOnly(schema: Schema | undefined): boolean {
  if (!isObject(schema)) return false
  const { type, enum: values, const: only } = schema
  if (Array.isArray(values)) return values.every((value) => typeof value === 'string')
  return only === undefined ? type === 'string' : typeof only === 'string'
}

type Type = 'string' | 'number' | 'integer' | 'boolean' | 'null' | 'object' | 'array'

/** Undefined if the schema doesn't say. */
export function typesOf(schema: Schema | undefined): Set<Type> | undefined {
  if (!isObject(schema)) return undefined
  const { type, enum: values, const: only, anyOf, oneOf } = schema
  if (Array.isArray(values)) return new Set(values.map((value) => typeOf(JSON.stringify(value))))
  if (only !== undefined) return new Set([typeOf(JSON.stringify(only))])
  if (type !== undefined) return new Set([type].flat() as Type[])
  const branches = [anyOf, oneOf].find(Array.isArray)?.map((branch) => typesOf(branch as Schema))
  if (branches === undefined || branches.includes(undefined)) return undefined
  return new Set(branches.flatMap((types) => [...(types ?? [])]))
}

function isOfType(json: string, types: ReadonlySet<Type>): boolean {
  return types.has(typeOf(json)) || (types.has('integer') && Number.isInteger(JSON.parse(json)))
}

function typeOf(json: string): Type {
  const value: unknown = JSON.parse(json)
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : (typeof value as Type)
}

/** JSON as the model wrote it, or a literal of a program as JSON. */
function readJson(raw: string): string | undefined {
  const text = raw.trim()
  try {
    JSON.parse(text)
    return text
  } catch {
    const literal = readArgumentLiteral(text, 0, '')
    return literal?.end === text.length ? literal.json : undefined
  }
}
