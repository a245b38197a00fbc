// Small readers for schemas. What comes out is in its type; what can't be read says where it stands.

import { SchemaError, below } from './schema-error.ts'

export type SchemaObject = Readonly<Record<string, unknown>>
export type Schema = SchemaObject | boolean

export const TYPES = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'] as const
export type TypeName = (typeof TYPES)[number]

export function isObject(value: unknown): value is SchemaObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function readSchemas(schema: SchemaObject, keyword: string): readonly Schema[] {
  return (schema[keyword] ?? []) as readonly Schema[]
}

export function readProperties(schema: SchemaObject): ReadonlyMap<string, Schema> {
  return new Map(Object.entries((schema['properties'] ?? {}) as Record<string, Schema>))
}

export function readNames(schema: SchemaObject, keyword: string, path: string): readonly string[] {
  const value = schema[keyword]
  if (value === undefined) return []
  if (Array.isArray(value) && value.every((name) => typeof name === 'string')) return value
  throw new SchemaError(below(path, keyword), 'this is a list of names')
}

/** A whole number from 0 on; undefined when the keyword is absent. */
export function readCount(schema: SchemaObject, keyword: string, path: string): number | undefined {
  const value = schema[keyword]
  if (value === undefined) return undefined
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0) return value
  throw new SchemaError(below(path, keyword), 'this is a whole number from 0 on')
}

/** Undefined when the schema does not name types. */
export function readTypes(schema: SchemaObject, path: string): readonly TypeName[] | undefined {
  const value = schema['type']
  if (value === undefined) return undefined
  const names: unknown[] = Array.isArray(value) ? value : [value]
  return names.map((name) => {
    const type = TYPES.find((known) => known === name)
    if (type === undefined) throw new SchemaError(below(path, 'type'), `"${String(name)}" is no type of JSON`)
    return type
  })
}

const KEYWORDS_OF: Readonly<Record<string, TypeName>> = {
  properties: 'object',
  additionalProperties: 'object',
  required: 'object',
  propertyNames: 'object',
  minProperties: 'object',
  maxProperties: 'object',
  items: 'array',
  prefixItems: 'array',
  minItems: 'array',
  maxItems: 'array',
  uniqueItems: 'array',
  minLength: 'string',
  maxLength: 'string',
  pattern: 'string',
  format: 'string',
  minimum: 'number',
  maximum: 'number',
  exclusiveMinimum: 'number',
  exclusiveMaximum: 'number',
  multipleOf: 'number',
}

/** A schema that only says what an object looks like would also allow everything that is no object; nobody means that. */
export function impliedTypes(schema: SchemaObject): readonly TypeName[] {
  return [...new Set(Object.keys(schema).flatMap((keyword) => KEYWORDS_OF[keyword] ?? []))]
}

function typeOf(value: unknown): TypeName {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number'
  return typeof value as 'object' | 'string' | 'boolean'
}

export function hasType(types: readonly TypeName[] | undefined, value: unknown): boolean {
  const type = typeOf(value)
  return types === undefined || types.includes(type) || (type === 'integer' && types.includes('number'))
}

export function readReference(schema: SchemaObject, path: string): string | undefined {
  const reference = schema['$ref']
  if (reference === undefined) return undefined
  if (typeof reference === 'string' && (reference === '#' || reference.startsWith('#/'))) return reference
  throw new SchemaError(below(path, '$ref'), 'only references within the schema ("#/…") can be followed')
}

/** Where "#/$defs/point" leads within the whole schema. */
export function followReference(root: Schema, reference: string, path: string): Schema {
  let found: unknown = root
  for (const step of reference.split('/').slice(1)) {
    const name = decodeStep(step, path)
    found =
      (isObject(found) || Array.isArray(found)) && Object.hasOwn(found, name) ? Reflect.get(found, name) : undefined
  }
  if (typeof found === 'boolean' || isObject(found)) return found
  throw new SchemaError(below(path, '$ref'), `"${reference}" leads to no schema`)
}

function decodeStep(step: string, path: string): string {
  try {
    return decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~')
  } catch {
    throw new SchemaError(below(path, '$ref'), 'this is no valid reference')
  }
}
