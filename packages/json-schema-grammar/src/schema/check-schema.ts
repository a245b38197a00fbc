// Checks a schema before anything is built from it: its size, its depth, and whether schemas are where they have to be.

import { LISTED, NAMED, SINGLE } from './references.ts'
import { SchemaError, below } from './schema-error.ts'

const MAX_DEPTH = 32
const MAX_NODES = 2000
const MAX_ENUM_VALUES = 1000
const MAX_TEXT = 128 * 1024

export function checkSchema(schema: unknown): void {
  const counts = { nodes: 0, enumValues: 0 }
  checkText(schema)
  visit(schema, '#', 0, counts)
}

// JSON.stringify throws on cycles and on extreme depth, so nothing after it has to worry about those.
function checkText(schema: unknown): void {
  let length: number
  try {
    length = (JSON.stringify(schema) ?? '').length
  } catch {
    throw new SchemaError('#', 'a schema must be plain JSON without cycles')
  }
  if (length > MAX_TEXT)
    throw new SchemaError('#', `a schema can have at most ${MAX_TEXT} characters, this one has ${length}`)
}

function visit(schema: unknown, path: string, depth: number, counts: { nodes: number; enumValues: number }): void {
  if (typeof schema === 'boolean') return
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema))
    throw new SchemaError(path, 'a schema must be an object, true or false')
  if (depth > MAX_DEPTH) throw new SchemaError(path, `schemas can nest at most ${MAX_DEPTH} levels deep`)
  if (++counts.nodes > MAX_NODES) throw new SchemaError(path, `a schema can have at most ${MAX_NODES} subschemas`)
  for (const [keyword, value] of Object.entries(schema)) visitKeyword(keyword, value, path, depth, counts)
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
  if (NAMED.has(keyword)) return visitAll(schemasIn(keyword, asObject(value, at)), at, depth, counts)
  // Before JSON Schema 2020-12, `items` could be an array.
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
    throw new SchemaError(path, `a schema can have at most ${MAX_ENUM_VALUES} enum values in total`)
}

function asObject(value: unknown, path: string): object {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  throw new SchemaError(path, 'must be an object of schemas')
}

function asList(value: unknown, path: string): readonly unknown[] {
  if (Array.isArray(value) && value.length > 0) return value
  throw new SchemaError(path, 'must be a list with at least one entry')
}

// `dependencies` also holds lists of names.
function schemasIn(keyword: string, value: object): [string, unknown][] {
  const entries: [string, unknown][] = Object.entries(value)
  return keyword === 'dependencies' ? entries.filter(([, dependent]) => !Array.isArray(dependent)) : entries
}
