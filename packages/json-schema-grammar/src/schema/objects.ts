// Objects: first the named properties in the order of the schema, the optional ones as the model likes; then, only if the schema asks for
// them, properties with other names.

import { EMPTY, choice, repeat, sequence, type Expression } from '../grammar/expression.ts'
import type { GrammarRules } from '../grammar/grammar-rules.ts'
import { noneOfTexts } from '../grammar/texts.ts'
import type { Conversion } from './conversion.ts'
import { PLAIN, anyObject, anyString, comma, enclosed, exactly, memberOf, stringCharacter } from './json-text.ts'
import { SchemaError, below } from './schema-error.ts'
import { isObject, readCount, readNames, readProperties, type Schema, type SchemaObject } from './schema-object.ts'
import { isPlainString, stringExpression } from './strings.ts'

interface Member {
  expression: Expression
  isRequired: boolean
}

export function objectExpression(schema: SchemaObject, path: string, conversion: Conversion): Expression {
  const { rules } = conversion
  const others = otherProperties(schema, path)
  const members = readMembers(schema, others, path, conversion)
  if (isFree(schema, members)) return anyObject(rules)
  const other = others === false ? undefined : otherMember(schema, others, path, conversion)
  const bounds = readBounds(schema, members, other !== undefined, path)
  return enclosed('{', chain(members, other, bounds, rules), '}', rules)
}

function isFree(schema: SchemaObject, members: readonly Member[]): boolean {
  const keywords = [
    'properties',
    'additionalProperties',
    'unevaluatedProperties',
    'propertyNames',
    'minProperties',
    'maxProperties',
  ]
  return members.length === 0 && keywords.every((keyword) => schema[keyword] === undefined)
}

/** The schema of properties that the schema doesn't name; false if there are none. */
function otherProperties(schema: SchemaObject, path: string): Schema {
  const { additionalProperties: others, unevaluatedProperties: rest } = schema
  if (rest !== undefined && typeof rest !== 'boolean')
    throw new SchemaError(below(path, 'unevaluatedProperties'), 'only true and false can be enforced')
  if (others !== undefined) return others as Schema
  return schema['properties'] === undefined && rest !== false
}

function readMembers(schema: SchemaObject, others: Schema, path: string, conversion: Conversion): Member[] {
  const properties = new Map(readProperties(schema))
  const required = new Set(readNames(schema, 'required', path))
  for (const name of required) if (!properties.has(name)) properties.set(name, unnamed(schema, others, name, path))
  return [...properties].flatMap(([name, property]) => {
    if (property === false && !required.has(name)) return []
    const value = conversion.convert(property, below(path, 'properties', name))
    const expression = conversion.rules.add(`${name}-member`, memberOf(exactly(name), value, conversion.rules))
    return [{ expression, isRequired: required.has(name) }]
  })
}

function unnamed(schema: SchemaObject, others: Schema, name: string, path: string): Schema {
  if (schema['additionalProperties'] === undefined) return true
  if (others !== false) return others
  throw new SchemaError(below(path, 'required'), `"${name}" is required but not allowed`)
}

function otherMember(schema: SchemaObject, others: Schema, path: string, conversion: Conversion): Expression {
  const value = conversion.convert(others, below(path, 'additionalProperties'))
  return conversion.rules.add('other-member', memberOf(otherName(schema, path, conversion), value, conversion.rules))
}

function otherName(schema: SchemaObject, path: string, conversion: Conversion): Expression {
  const { rules } = conversion
  const taken = [...new Set([...readProperties(schema).keys(), ...readNames(schema, 'required', path)])]
  const names = schema['propertyNames']
  const isAnyName =
    names === undefined ||
    names === true ||
    (isObject(names) && isPlainString(names) && !('enum' in names) && !('const' in names))
  if (!isAnyName) return limitedName(names, taken, below(path, 'propertyNames'), conversion)
  if (taken.length === 0) return anyString(rules)
  const escaped = taken.map((name) => Array.from(name, (character) => JSON.stringify(character).slice(1, -1)))
  return sequence('"', noneOfTexts(escaped, PLAIN, repeat(stringCharacter(rules), 0), rules), '"')
}

function limitedName(names: unknown, taken: readonly string[], path: string, conversion: Conversion): Expression {
  if (taken.length > 0) throw new SchemaError(path, '"propertyNames" can\'t be combined with named properties')
  if (!isObject(names)) throw new SchemaError(path, 'no property name is allowed')
  if ('enum' in names || 'const' in names) return conversion.convert({ ...names, type: 'string' }, path)
  return stringExpression(names, path, conversion.rules)
}

interface Bounds {
  /** The object must have at least one property. */
  isFilled: boolean
  /** The maximum number of properties that the schema doesn't name. */
  others: number
}

function readBounds(schema: SchemaObject, members: readonly Member[], hasOthers: boolean, path: string): Bounds {
  const min = readCount(schema, 'minProperties', path) ?? 0
  const max = readCount(schema, 'maxProperties', path) ?? Number.POSITIVE_INFINITY
  const required = members.filter(({ isRequired }) => isRequired).length
  if (min > Math.max(1, required)) throw new SchemaError(below(path, 'minProperties'), "can't be enforced above 1")
  if (min > 0 && members.length === 0 && !hasOthers)
    throw new SchemaError(path, 'the object needs a property but allows none')
  if (members.length > max)
    throw new SchemaError(below(path, 'maxProperties'), "can't be enforced below the number of named properties")
  return { isFilled: min > 0 && required === 0, others: max - members.length }
}

// Two rules per member: one for when it is the first, one for when a comma must come before it.
function chain(
  members: readonly Member[],
  other: Expression | undefined,
  bounds: Bounds,
  rules: GrammarRules,
): Expression {
  let begun = other === undefined ? EMPTY : moreOthers(other, bounds.others, rules)
  let empty: Expression | undefined =
    other === undefined || bounds.others === 0 ? undefined : firstOther(other, bounds.others, rules)
  let mayBeEmpty = !bounds.isFilled
  for (const { expression, isRequired } of members.toReversed()) {
    const [nextBegun, nextEmpty] = [begun, empty]
    const withComma = sequence(comma(rules), expression, nextBegun)
    const first = sequence(expression, nextBegun)
    begun = rules.add('next', isRequired ? withComma : choice(withComma, nextBegun))
    empty = isRequired || nextEmpty === undefined ? first : choice(first, nextEmpty)
    if (empty !== first) empty = rules.add('first', empty)
    mayBeEmpty &&= !isRequired
  }
  if (empty === undefined) return EMPTY
  return mayBeEmpty ? choice(empty, EMPTY) : empty
}

function firstOther(other: Expression, most: number, rules: GrammarRules): Expression {
  return sequence(other, moreOthers(other, most - 1, rules))
}

function moreOthers(other: Expression, most: number, rules: GrammarRules): Expression {
  return most <= 0
    ? EMPTY
    : repeat(
        rules.share(`more-${most}-${JSON.stringify(other)}`, () => sequence(comma(rules), other)),
        0,
        most,
      )
}
