// Finds schemas that say the same in several places, as generated ones often do, so that each is
// worked out only once. Annotations don't count.

import { EMPTY_LIST, NumberLists } from '../grammar/number-lists.ts'
import { kindOf, type Kind } from './keywords.ts'
import { isObject, type SchemaObject } from './schema-object.ts'
import { getOrMake } from '../get-or-make.ts'

/** Schemas that are only there to be referred to. */
const DEFINITIONS = new Set(['$defs', 'definitions'])

/** A schema is a list of numbers. What each of them stands for is in its last two bits. */
const SCHEMA = 0
const TEXT = 1
const OTHER = 2
const LENGTH = 3

export class EqualSchemas {
  /** The address that the references of a schema are relative to. */
  readonly #baseOf: (schema: SchemaObject) => string
  readonly #lists = new NumberLists()
  readonly #texts = new Map<string, number>()
  readonly #known = new Map<SchemaObject, number>()

  constructor(baseOf: (schema: SchemaObject) => string) {
    this.#baseOf = baseOf
  }

  /** The same for equal schemas. */
  numberOf(schema: SchemaObject): number {
    return getOrMake(this.#known, schema, () => this.#read(schema))
  }

  #read(schema: SchemaObject): number {
    let list = EMPTY_LIST
    for (const keyword of Object.keys(schema)) {
      const kind = kindOf(keyword)
      if (kind === undefined || DEFINITIONS.has(keyword)) continue
      list = this.#withValue(this.#withText(list, keyword), kind, schema[keyword])
      if (keyword.endsWith('ef')) list = this.#withText(list, this.#baseOf(schema))
    }
    return list
  }

  #withValue(list: number, kind: Kind, value: unknown): number {
    if (kind === 'named' && isObject(value)) return this.#withNamed(list, value)
    if (kind === 'single' || kind === 'listed')
      return Array.isArray(value) ? this.#withAll(list, value) : this.#withChild(list, value)
    return typeof value === 'string' ? this.#withText(list, value) : this.#withOther(list, value)
  }

  #withAll(list: number, children: readonly unknown[]): number {
    const begin = this.#lists.extended(list, children.length * 4 + LENGTH)
    return children.reduce<number>((all, child) => this.#withChild(all, child), begin)
  }

  #withNamed(list: number, children: SchemaObject): number {
    const names = Object.keys(children)
    let all = this.#lists.extended(list, names.length * 4 + LENGTH)
    for (const name of names) all = this.#withChild(this.#withText(all, name), children[name])
    return all
  }

  #withChild(list: number, child: unknown): number {
    return isObject(child)
      ? this.#lists.extended(list, this.numberOf(child) * 4 + SCHEMA)
      : this.#withOther(list, child)
  }

  #withText(list: number, text: string): number {
    return this.#lists.extended(list, this.#numberOfText(text) * 4 + TEXT)
  }

  #withOther(list: number, value: unknown): number {
    return this.#lists.extended(list, this.#numberOfText(JSON.stringify(value)) * 4 + OTHER)
  }

  #numberOfText(text: string): number {
    return getOrMake(this.#texts, text, () => this.#texts.size)
  }
}
