// Checks a schema before anything is built from it: its size, its depth, and whether schemas are
// where they have to be. Annotations don't count: nothing is built from them.

import { kindOf, type Kind } from './keywords.ts'
import { SchemaError, below } from './schema-error.ts'
import { isObject } from './schema-object.ts'

// How large a schema can be. Everything later has limits of its own, so these only keep reading it
// short.
const MAX_DEPTH = 32
const MAX_NODES = 2000
const MAX_ENUM_VALUES = 5000
/** In characters, without annotations. */
const MAX_TEXT = 128 * 1024

export class SchemaCheck {
  readonly #seen = new Set<object>()
  /** Schemas around the one that is being checked. */
  readonly #open = new Set<object>()
  #nodes = 0
  #enumValues = 0
  #length = 0

  /** The way to the schema that is being checked. Pointers to it are only made for errors. */
  #path = '#'
  readonly #steps: (string | number)[] = []

  /**
   * References can lead to a place that is no schema by its keyword, so this is called for each of
   * their targets.
   */
  check(schema: unknown, path: string): void {
    this.#path = path
    this.#steps.length = 0
    this.#open.clear()
    this.#visit(schema)
  }

  #visit(schema: unknown): void {
    if (typeof schema === 'boolean') return
    if (!isObject(schema)) throw this.#error('a schema must be an object, true or false')
    if (this.#open.has(schema)) throw new SchemaError('#', 'a schema must be plain JSON without cycles')
    if (this.#seen.has(schema)) return
    if (this.#open.size > MAX_DEPTH) throw this.#error(`schemas can nest at most ${MAX_DEPTH} levels deep`)
    if (++this.#nodes > MAX_NODES) throw this.#error(`a schema can have at most ${MAX_NODES} subschemas`)
    this.#open.add(schema)
    for (const keyword of Object.keys(schema)) {
      const kind = kindOf(keyword)
      if (kind !== undefined) this.#below(keyword, () => this.#visitKeyword(kind, keyword, schema[keyword]))
    }
    this.#seen.add(schema)
    this.#open.delete(schema)
  }

  #below(step: string | number, visit: () => void): void {
    this.#steps.push(step)
    visit()
    this.#steps.pop()
  }

  #visitKeyword(kind: Kind, keyword: string, value: unknown): void {
    this.#measure(keyword)
    if (kind === 'named') return this.#visitNamed(keyword, value)
    if (kind === 'listed' || (keyword === 'items' && Array.isArray(value)))
      return this.#requireList(value).forEach((schema, index) => this.#below(index, () => this.#visit(schema)))
    if (kind === 'single') return this.#visit(value)
    if (keyword === 'enum') this.#countValues(this.#requireList(value).length)
    this.#measure(value)
  }

  #visitNamed(keyword: string, schemas: unknown): void {
    if (!isObject(schemas)) throw this.#error('must be an object of schemas')
    for (const name of Object.keys(schemas)) {
      const schema = schemas[name]
      this.#measure(name)
      // `dependencies` also holds lists of names.
      if (keyword === 'dependencies' && Array.isArray(schema)) this.#measure(schema)
      else this.#below(name, () => this.#visit(schema))
    }
  }

  #requireList(value: unknown): readonly unknown[] {
    if (Array.isArray(value) && value.length > 0) return value
    throw this.#error('must be a list with at least one entry')
  }

  #countValues(count: number): void {
    this.#enumValues += count
    if (this.#enumValues > MAX_ENUM_VALUES)
      throw this.#error(`a schema can have at most ${MAX_ENUM_VALUES} enum values in total`)
  }

  #measure(value: unknown): void {
    this.#length += lengthOf(value)
    if (this.#length > MAX_TEXT)
      throw new SchemaError('#', `a schema can have at most ${MAX_TEXT} characters, without descriptions and the like`)
  }

  #error(reason: string): SchemaError {
    return new SchemaError(below(this.#path, ...this.#steps), reason)
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
