// Converts a JSON schema to grammar rules. The grammar can be stricter than the schema, never looser: every text it allows is valid. A
// schema that can't be expressed is rejected, with the place of the problem.

import { choice, literal, type Expression } from '../grammar/expression.ts'
import { canFinish } from '../grammar/analyze.ts'
import { GrammarTooLarge, type GrammarRules } from '../grammar/grammar-rules.ts'
import { oneOfTexts } from '../grammar/texts.ts'
import { arrayExpression } from './arrays.ts'
import { checkSchema, isNever, rejectKeywords } from './check-schema.ts'
import type { Conversion } from './conversion.ts'
import { areDisjoint, areToldApart } from './disjoint.ts'
import { anyBoolean, anyValue } from './json-text.ts'
import { fits, mergeSchemas } from './merge.ts'
import { numberExpression } from './numbers.ts'
import { objectExpression } from './objects.ts'
import { NothingFits, SchemaError, below } from './schema-error.ts'
import {
  followReference,
  impliedTypes,
  isObject,
  readReference,
  readSchemas,
  readTypes,
  type Schema,
  type SchemaObject,
  type TypeName,
} from './schema-object.ts'
import { stringExpression } from './strings.ts'

/** Combining schemas multiplies them; a schema that needs more steps than this is treated as an attack. */
const MAX_STEPS = 20_000
const MAX_DEPTH = 200

/** Adds the rules for a schema and returns the expression to start with. Throws SchemaError. */
export function addSchema(schema: Schema, rules: GrammarRules): Expression {
  checkSchema(schema)
  try {
    const root = new Converter(schema, rules).convert(schema, '#')
    if (!canFinish(root, rules)) throw new SchemaError('#', 'every value would have to contain itself, without end')
    return root
  } catch (error) {
    throw error instanceof GrammarTooLarge ? new SchemaError('#', error.message) : error
  }
}

export class Converter implements Conversion {
  readonly rules: GrammarRules
  readonly #root: Schema
  readonly #references = new Map<string, Expression>()
  /** References that point back to themselves. */
  readonly #recursive = new Set<string>()
  readonly #pending = new Set<string>()
  /** How often a reference pointed back to a schema that is still being converted. */
  #returns = 0
  #steps = 0
  #depth = 0

  constructor(root: Schema, rules: GrammarRules) {
    this.#root = root
    this.rules = rules
  }

  /** `open` lists the references that led here without any output in between. */
  convert(schema: Schema, path: string, open: readonly string[] = []): Expression {
    if (schema === true) return anyValue(this.rules)
    if (schema === false || isNever(schema)) throw new NothingFits(path, 'no value is allowed here')
    if (++this.#steps > MAX_STEPS || this.#depth >= MAX_DEPTH) throw new SchemaError(path, 'the schema is too complex')
    this.#depth++
    try {
      return this.#convertObject(schema, path, open)
    } finally {
      this.#depth--
    }
  }

  #convertObject(schema: SchemaObject, path: string, open: readonly string[]): Expression {
    rejectKeywords(schema, path)
    const reference = readReference(schema, path)
    if (reference !== undefined && !hasConstraints(schema, '$ref')) return this.#convertReference(reference, path, open)
    if (reference !== undefined || schema['allOf'] !== undefined)
      return this.convert(this.#flatten(schema, path, open), path, open)
    if (schema['anyOf'] !== undefined) return this.#convertAlternatives(schema, 'anyOf', path, open)
    if (schema['oneOf'] !== undefined) return this.#convertAlternatives(schema, 'oneOf', path, open)
    if (schema['const'] !== undefined || schema['enum'] !== undefined) return this.#convertValues(schema, path)
    return this.#convertTypes(schema, path)
  }

  #convertReference(reference: string, path: string, open: readonly string[]): Expression {
    const opened = openReference(reference, path, open)
    const known = this.#references.get(reference)
    if (known !== undefined) {
      if (this.#pending.has(reference) || this.#recursive.has(reference)) this.#returns++
      return known
    }
    const target = followReference(this.#root, reference, path)
    const { reference: made, define } = this.rules.reserve('reference')
    this.#references.set(reference, made)
    this.#pending.add(reference)
    const before = this.#returns
    define(this.convert(target, reference, opened))
    if (this.#returns > before) this.#recursive.add(reference)
    this.#pending.delete(reference)
    return made
  }

  /** The same schema without `$ref` and `allOf` at its top level; false if no value can match. */
  #flatten(schema: SchemaObject, path: string, open: readonly string[]): SchemaObject | false {
    rejectKeywords(schema, path)
    if (++this.#steps > MAX_STEPS) throw new SchemaError(path, 'the schema is too complex')
    const reference = readReference(schema, path)
    const { $ref: _, allOf, ...rest } = schema
    const opened = reference === undefined ? open : openReference(reference, path, open)
    const following = reference === undefined ? [] : [followReference(this.#root, reference, path)]
    const parts = [...following, ...((allOf ?? []) as readonly Schema[])]
    return parts.reduce<SchemaObject | false>((merged, part) => {
      const flat = part === true ? {} : part && this.#flatten(part, path, opened)
      return merged && flat && mergeSchemas(merged, flat, path)
    }, rest)
  }

  #convertAlternatives(
    schema: SchemaObject,
    keyword: 'anyOf' | 'oneOf',
    path: string,
    open: readonly string[],
  ): Expression {
    const { [keyword]: _, ...rest } = schema
    const at = (index: number) => below(path, keyword, index)
    const alternatives = readSchemas(schema, keyword)
    const whole = hasConstraints(rest)
      ? alternatives.map((alternative, index) => this.#withRest(alternative, rest, at(index), open))
      : alternatives
    if (keyword === 'oneOf') this.#requireDisjoint(whole, below(path, keyword), open)
    const recursive: Schema[] = []
    const options = whole.flatMap((alternative, index) => {
      const before = this.#returns
      const converted = unlessNothingFits(() => this.convert(alternative, at(index), open))
      if (this.#returns > before) recursive.push(alternative)
      return converted
    })
    this.#requireToldApart(recursive, below(path, keyword), open)
    if (options.length === 0) throw new NothingFits(below(path, keyword), 'none of the alternatives can match')
    return choice(...options)
  }

  #withRest(alternative: Schema, rest: SchemaObject, path: string, open: readonly string[]): Schema {
    if (typeof alternative === 'boolean') return alternative && rest
    const flat = this.#flatten(alternative, path, open)
    try {
      return flat && mergeSchemas(rest, flat, path)
    } catch (error) {
      if (error instanceof NothingFits) return false
      throw error
    }
  }

  #requireDisjoint(alternatives: readonly Schema[], path: string, open: readonly string[]): void {
    if (!everyPair(this.#possible(alternatives, path, open), areDisjoint))
      throw new SchemaError(path, 'alternatives that overlap can\'t be enforced; use "anyOf"')
  }

  #requireToldApart(alternatives: readonly Schema[], path: string, open: readonly string[]): void {
    if (!everyPair(this.#possible(alternatives, path, open), areToldApart))
      throw new SchemaError(path, 'recursive alternatives must begin with a required property that tells them apart')
  }

  #possible(alternatives: readonly Schema[], path: string, open: readonly string[]): SchemaObject[] {
    return alternatives.flatMap((alternative) => {
      const flat = isObject(alternative) ? this.#flatten(alternative, path, open) : alternative && {}
      return flat === false ? [] : [flat]
    })
  }

  #convertValues(schema: SchemaObject, path: string): Expression {
    const named = schema['const'] === undefined ? (schema['enum'] as unknown[]) : [schema['const']]
    const isListed = (value: unknown) =>
      schema['enum'] === undefined ||
      (schema['enum'] as unknown[]).some((listed) => JSON.stringify(listed) === JSON.stringify(value))
    const values = named.filter((value) => isListed(value) && fits(value, schema, path))
    if (values.length === 0) throw new NothingFits(path, 'none of the values matches the rest of the schema')
    const texts = [...new Set(values.map((value) => JSON.stringify(value)))]
    return this.rules.add('values', oneOfTexts(texts, this.rules))
  }

  #convertTypes(schema: SchemaObject, path: string): Expression {
    const types = readTypes(schema, path) ?? impliedTypes(schema)
    if (types.length === 0) return anyValue(this.rules)
    const needed = types.filter((type) => type !== 'integer' || !types.includes('number'))
    const options = needed.flatMap((type) =>
      unlessNothingFits(() => this.#convertType(schema, type, path), needed.length > 1),
    )
    if (options.length === 0) throw new NothingFits(path, 'none of the types can match')
    return this.rules.add('value', choice(...options))
  }

  #convertType(schema: SchemaObject, type: TypeName, path: string): Expression {
    switch (type) {
      case 'object':
        return objectExpression(schema, path, this)
      case 'array':
        return arrayExpression(schema, path, this)
      case 'string':
        return stringExpression(schema, path, this.rules)
      case 'integer':
      case 'number':
        return numberExpression(schema, type, path, this.rules)
      case 'boolean':
        return anyBoolean()
      case 'null':
        return literal('null')
      default:
        return type satisfies never
    }
  }
}

function everyPair<Item>(items: readonly Item[], holds: (a: Item, b: Item) => boolean): boolean {
  return items.every((one, index) => items.slice(index + 1).every((other) => holds(one, other)))
}

function openReference(reference: string, path: string, open: readonly string[]): readonly string[] {
  if (open.includes(reference)) throw new SchemaError(below(path, '$ref'), 'the references form a cycle')
  return [...open, reference]
}

/** Drops an alternative that no value can match. */
function unlessNothingFits(make: () => Expression, isOneOfSeveral = true): Expression[] {
  try {
    return [make()]
  } catch (error) {
    if (isOneOfSeveral && error instanceof NothingFits) return []
    throw error
  }
}

const CONSTRAINTS = [
  '$ref',
  'type',
  'enum',
  'const',
  'anyOf',
  'oneOf',
  'allOf',
  'unevaluatedProperties',
  'unevaluatedItems',
]

/** Whether the schema has keywords other than `except` that limit the value. */
function hasConstraints(schema: SchemaObject, except?: string): boolean {
  const rest = Object.fromEntries(Object.entries(schema).filter(([keyword]) => keyword !== except))
  return CONSTRAINTS.some((keyword) => rest[keyword] !== undefined) || impliedTypes(rest).length > 0
}
