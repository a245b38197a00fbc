// Finds schemas that say the same in several places, as generated ones often do, so that each is worked out only once. Annotations don't
// count.

import { LISTED, NAMED, SINGLE, hasEffect } from './keywords.ts'
import { isObject, type SchemaObject } from './schema-object.ts'

/** Schemas that are only there to be referred to. */
const DEFINITIONS = new Set(['$defs', 'definitions'])

export class EqualSchemas {
  /** The address that the references of a schema are relative to. */
  readonly #baseOf: (schema: SchemaObject) => string
  readonly #numbers = new Map<string, number>()
  readonly #known = new Map<SchemaObject, number>()

  constructor(baseOf: (schema: SchemaObject) => string) {
    this.#baseOf = baseOf
  }

  /** The same for equal schemas. */
  numberOf(schema: SchemaObject): number {
    let number = this.#known.get(schema)
    if (number === undefined) {
      const key = this.#keyOf(schema)
      number = this.#numbers.get(key) ?? this.#numbers.size
      this.#numbers.set(key, number)
      this.#known.set(schema, number)
    }
    return number
  }

  #keyOf(schema: SchemaObject): string {
    let key = ''
    for (const [keyword, value] of Object.entries(schema)) {
      if (!hasEffect(keyword) || DEFINITIONS.has(keyword)) continue
      key += `${keyword}:${this.#valueKey(keyword, value)},`
      if (keyword.endsWith('ef')) key += `${this.#baseOf(schema)},`
    }
    return key
  }

  #valueKey(keyword: string, value: unknown): string {
    if (SINGLE.has(keyword) && !Array.isArray(value)) return this.#childKey(value)
    if ((LISTED.has(keyword) || SINGLE.has(keyword)) && Array.isArray(value))
      return `[${value.map((child) => this.#childKey(child)).join(',')}]`
    if (NAMED.has(keyword) && isObject(value))
      return `{${Object.entries(value)
        .map(([name, child]) => `${textKey(name)}:${this.#childKey(child)}`)
        .join(',')}}`
    return typeof value === 'string' ? textKey(value) : JSON.stringify(value)
  }

  #childKey(child: unknown): string {
    return isObject(child) ? `#${this.numberOf(child)}` : JSON.stringify(child)
  }
}

/** With its length in front, no text can look like the end of another. */
function textKey(text: string): string {
  return `${text.length}"${text}`
}
