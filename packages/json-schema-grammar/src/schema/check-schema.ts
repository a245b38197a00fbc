// Checks a schema before anything is built from it: its size, its depth, and whether schemas are where they have to be. Annotations don't
// count: nothing is built from them.

import { LISTED, NAMED, SINGLE, hasEffect } from './keywords.ts'
import { MAX_DEPTH, MAX_ENUM_VALUES, MAX_NODES, MAX_TEXT } from './limits.ts'
import { SchemaError, below } from './schema-error.ts'

export class SchemaCheck {
  readonly #seen = new Set<object>()
  /** Schemas around the one that is being checked. */
  readonly #open = new Set<object>()
  #nodes = 0
  #enumValues = 0
  #length = 0

  /** References can lead to a place that is no schema by its keyword, so this is called for each of their targets. */
  check(schema: unknown, path: string): void {
    if (typeof schema === 'boolean') return
    if (typeof schema !== 'object' || schema === null || Array.isArray(schema))
      throw new SchemaError(path, 'a schema must be an object, true or false')
    if (this.#open.has(schema)) throw new SchemaError('#', 'a schema must be plain JSON without cycles')
    if (this.#seen.has(schema)) return
    if (this.#open.size > MAX_DEPTH) throw new SchemaError(path, `schemas can nest at most ${MAX_DEPTH} levels deep`)
    if (++this.#nodes > MAX_NODES) throw new SchemaError(path, `a schema can have at most ${MAX_NODES} subschemas`)
    this.#open.add(schema)
    try {
      for (const [keyword, value] of Object.entries(schema)) this.#checkKeyword(keyword, value, path)
      this.#seen.add(schema)
    } finally {
      this.#open.delete(schema)
    }
  }

  #checkKeyword(keyword: string, value: unknown, path: string): void {
    if (!hasEffect(keyword)) return
    this.#measure(keyword)
    const at = below(path, keyword)
    if (NAMED.has(keyword)) return this.#checkNamed(keyword, asObject(value, at), at)
    // Before JSON Schema 2020-12, `items` could be an array.
    if (LISTED.has(keyword) || (keyword === 'items' && Array.isArray(value)))
      return asList(value, at).forEach((schema, index) => this.check(schema, below(at, index)))
    if (SINGLE.has(keyword)) return this.check(value, at)
    if (keyword === 'enum') this.#countValues(asList(value, at).length, at)
    this.#measure(value)
  }

  #checkNamed(keyword: string, schemas: object, path: string): void {
    for (const [name, schema] of Object.entries(schemas)) {
      this.#measure(name)
      // `dependencies` also holds lists of names.
      if (keyword === 'dependencies' && Array.isArray(schema)) this.#measure(schema)
      else this.check(schema, below(path, name))
    }
  }

  #countValues(count: number, path: string): void {
    this.#enumValues += count
    if (this.#enumValues > MAX_ENUM_VALUES)
      throw new SchemaError(path, `a schema can have at most ${MAX_ENUM_VALUES} enum values in total`)
  }

  #measure(value: unknown): void {
    this.#length += lengthOf(value)
    if (this.#length > MAX_TEXT)
      throw new SchemaError('#', `a schema can have at most ${MAX_TEXT} characters, without descriptions and the like`)
  }
}

/** With a colon or a comma. */
function lengthOf(value: unknown): number {
  if (typeof value === 'string') return value.length + 3
  try {
    return (JSON.stringify(value) ?? '').length + 1
  } catch {
    throw new SchemaError('#', 'a schema must be plain JSON without cycles')
  }
}

function asObject(value: unknown, path: string): object {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  throw new SchemaError(path, 'must be an object of schemas')
}

function asList(value: unknown, path: string): readonly unknown[] {
  if (Array.isArray(value) && value.length > 0) return value
  throw new SchemaError(path, 'must be a list with at least one entry')
}
