// Looks over a schema before anything is built from it: its size, its depth, and keywords that can't be enforced while generating.
// Such a keyword is refused rather than ignored: what comes out always matches the schema.

import { SchemaError, below } from './schema-error.ts'

const MAX_DEPTH = 32
const MAX_NODES = 2000
const MAX_ENUM_VALUES = 1000
const MAX_TEXT = 128 * 1024

const NOT_ENFORCEABLE = [
  'not',
  'if',
  'then',
  'else',
  'patternProperties',
  'dependentSchemas',
  'dependentRequired',
  'dependencies',
  'contains',
  'minContains',
  'maxContains',
  '$dynamicRef',
  '$recursiveRef',
  'contentSchema',
] as const

/** Keywords whose value holds schemas by name, in a list, or itself. */
const NAMED = new Set(['properties', '$defs', 'definitions'])
const LISTED = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems'])
const SINGLE = new Set([
  'items',
  'additionalProperties',
  'additionalItems',
  'propertyNames',
  'unevaluatedProperties',
  'unevaluatedItems',
])

export function checkSchema(schema: unknown): void {
  const counts = { nodes: 0, enumValues: 0 }
  checkText(schema)
  visit(schema, '#', 0, counts)
}

// JSON.stringify fails on cycles and endless depth before anything else could.
function checkText(schema: unknown): void {
  let length: number
  try {
    length = (JSON.stringify(schema) ?? '').length
  } catch {
    throw new SchemaError('#', 'a schema is plain JSON without cycles')
  }
  if (length > MAX_TEXT)
    throw new SchemaError('#', `a schema has at most ${MAX_TEXT} characters, this one has ${length}`)
}

function visit(schema: unknown, path: string, depth: number, counts: { nodes: number; enumValues: number }): void {
  if (typeof schema === 'boolean') return
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema))
    throw new SchemaError(path, 'a schema is an object or true or false')
  if (depth > MAX_DEPTH) throw new SchemaError(path, `schemas nest at most ${MAX_DEPTH} levels deep`)
  if (++counts.nodes > MAX_NODES) throw new SchemaError(path, `a schema has at most ${MAX_NODES} parts`)
  refuseKeywords(schema, path)
  for (const [keyword, value] of Object.entries(schema)) visitKeyword(keyword, value, path, depth, counts)
}

/** Also for schemas that only a reference leads to. */
export function refuseKeywords(schema: object, path: string): void {
  if (isNever(schema)) return
  for (const keyword of NOT_ENFORCEABLE)
    if (Object.hasOwn(schema, keyword)) throw new SchemaError(path, `"${keyword}" can't be enforced`)
}

/** "Not anything" is how some libraries write what must not be there. */
export function isNever(schema: object): boolean {
  const not: unknown = Reflect.get(schema, 'not')
  return not === true || (typeof not === 'object' && not !== null && Object.keys(not).length === 0)
}

function visitKeyword(
  keyword: string,
  value: unknown,
  path: string,
  depth: number,
  counts: { nodes: number; enumValues: number },
): void {
  const at = below(path, keyword)
  if (keyword === 'enum') return checkEnum(value, at, counts)
  if (NAMED.has(keyword)) return visitAll(Object.entries(asObject(value, at)), at, depth, counts)
  // Before 2020 a list of items was spelled as an array.
  if (LISTED.has(keyword) || (keyword === 'items' && Array.isArray(value)))
    return visitAll(Object.entries(asList(value, at)), at, depth, counts)
  if (SINGLE.has(keyword)) visit(value, at, depth + 1, counts)
}

function visitAll(
  entries: readonly (readonly [string, unknown])[],
  path: string,
  depth: number,
  counts: { nodes: number; enumValues: number },
): void {
  for (const [name, schema] of entries) visit(schema, below(path, name), depth + 1, counts)
}

function checkEnum(value: unknown, path: string, counts: { enumValues: number }): void {
  counts.enumValues += asList(value, path).length
  if (counts.enumValues > MAX_ENUM_VALUES)
    throw new SchemaError(path, `a schema has at most ${MAX_ENUM_VALUES} enum values altogether`)
}

function asObject(value: unknown, path: string): object {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  throw new SchemaError(path, 'this is an object of schemas')
}

function asList(value: unknown, path: string): readonly unknown[] {
  if (Array.isArray(value) && value.length > 0) return value
  throw new SchemaError(path, 'this is a list with at least one entry')
}
