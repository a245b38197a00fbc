// Small readers for the keywords of a schema. They return typed values, or throw an error that
// names the place.

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
  throw new SchemaError(below(path, keyword), 'must be a list of property names')
}

/** An integer of 0 or more; undefined if the keyword is absent. */
export function readCount(schema: SchemaObject, keyword: string, path: string): number | undefined {
  const value = schema[keyword]
  if (value === undefined) return undefined
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0) return value
  throw new SchemaError(below(path, keyword), 'must be an integer of 0 or more')
}

/** Undefined if the schema doesn't name any types. */
export function readTypes(schema: SchemaObject, path: string): readonly TypeName[] | undefined {
  const value = schema['type']
  if (value === undefined) return undefined
  const names: unknown[] = Array.isArray(value) ? value : [value]
  return names.map((name) => {
    const type = TYPES.find((known) => known === name)
    if (type === undefined) throw new SchemaError(below(path, 'type'), `"${String(name)}" is not a valid JSON type`)
    return type
  })
}

export const KEYWORDS_OF: Readonly<Record<string, TypeName>> = {
  properties: 'object',
  additionalProperties: 'object',
  required: 'object',
  propertyNames: 'object',
  patternProperties: 'object',
  unevaluatedProperties: 'object',
  dependentRequired: 'object',
  dependentSchemas: 'object',
  dependencies: 'object',
  minProperties: 'object',
  maxProperties: 'object',
  items: 'array',
  prefixItems: 'array',
  minItems: 'array',
  maxItems: 'array',
  uniqueItems: 'array',
  contains: 'array',
  additionalItems: 'array',
  unevaluatedItems: 'array',
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

/**
 * By the standard, a schema with only `properties` also allows any value that isn't an object.
 * Nobody means that.
 */
export function impliedTypes(schema: SchemaObject): readonly TypeName[] {
  return [...new Set(Object.keys(schema).flatMap((keyword) => KEYWORDS_OF[keyword] ?? []))]
}

/** The schema that a reference like "#/$defs/point" points to. */
export function followReference(root: Schema, reference: string, path: string): Schema {
  let found: unknown = root
  for (const step of reference.split('/').slice(1)) {
    const name = decodeStep(step, path)
    found =
      (isObject(found) || Array.isArray(found)) && Object.hasOwn(found, name) ? Reflect.get(found, name) : undefined
  }
  if (typeof found === 'boolean' || isObject(found)) return found
  throw new SchemaError(below(path, '$ref'), `"${reference}" does not point to a schema`)
}

function decodeStep(step: string, path: string): string {
  if (!/[%~]/.test(step)) return step
  try {
    return decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~')
  } catch {
    throw new SchemaError(below(path, '$ref'), 'not a valid reference')
  }
}
