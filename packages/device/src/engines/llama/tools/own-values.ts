// Lists and objects in the notation of families with quotes of their own, such as Gemma 4: `[<|"|>a<|"|>,1]` and `{key:<|"|>b<|"|>}`. They
// would write JSON only if they had to.

import {
  below,
  blank,
  characters,
  choice,
  type Converter,
  type Expression,
  isObject,
  isPlainString,
  oneOfTexts,
  optional,
  readNames,
  readProperties,
  repeat,
  type Schema,
  type SchemaObject,
  sequence,
} from '@hearth/json-schema-grammar'
import type { ArgumentTags } from '../../formats/tool-syntax.ts'
import { glued } from './glued.ts'
import { isText, plainText, quoted, textValues } from './tagged-text.ts'

/** Keywords that this notation can follow; a schema with others is written as JSON. */
const KNOWN = new Set([
  'type',
  'properties',
  'required',
  'items',
  'description',
  'title',
  'default',
  'examples',
  'additionalProperties',
])
/** A key that needs no quotes. */
const BARE_KEY = /^[\w$.-]+$/
const ATOMS = ['number', 'integer', 'boolean', 'null']

export function hasOwnQuotes({ keyOpen, stringOpen }: ArgumentTags): boolean {
  return keyOpen === '' && stringOpen.length > 1
}

/** The ways to write a value, other than JSON. */
export function ownValue(tags: ArgumentTags, schema: Schema, path: string, converter: Converter): Expression[] {
  const { rules } = converter
  const texts = textValues(schema)
  if (texts !== undefined) return [quoted(tags, rules.add('texts', oneOfTexts(texts, rules)))]
  if (schema === true) return [anyValue(tags, converter)]
  if (!isObject(schema)) return []
  if (isText(schema)) return isPlainString(schema) ? [quoted(tags, plainText(tags, rules))] : []
  const { type, anyOf } = schema
  if (Array.isArray(type))
    return type.flatMap((one: unknown) => ownValue(tags, { ...schema, type: one }, path, converter))
  if (Array.isArray(anyOf) && Object.keys(schema).every((keyword) => keyword === 'anyOf' || isKnown(keyword)))
    return (anyOf as Schema[]).flatMap((one, index) => ownValue(tags, one, below(path, 'anyOf', index), converter))
  return Object.keys(schema).every(isKnown) ? knownValue(tags, schema, path, converter) : []
}

function isKnown(keyword: string): boolean {
  return KNOWN.has(keyword)
}

function knownValue(tags: ArgumentTags, schema: SchemaObject, path: string, converter: Converter): Expression[] {
  const { type, items } = schema
  if (type === 'array') {
    const item =
      items === undefined ? [anyValue(tags, converter)] : inside(tags, items as Schema, below(path, 'items'), converter)
    return [list('[', choice(...item), ']', converter)]
  }
  if (type === 'object') return ownObject(tags, schema, path, converter)
  if (type === undefined) return [anyValue(tags, converter)]
  return ATOMS.some((atom) => atom === type) ? [converter.convert(schema, path)] : []
}

/** A value inside a list or an object. */
function inside(tags: ArgumentTags, schema: Schema, path: string, converter: Converter): Expression[] {
  const own = ownValue(tags, schema, path, converter)
  return own.length > 0 ? own : [converter.convert(schema, path)]
}

function ownObject(tags: ArgumentTags, schema: SchemaObject, path: string, converter: Converter): Expression[] {
  const { rules } = converter
  const properties = readProperties(schema)
  const required = new Set(readNames(schema, 'required', path))
  if (schema['properties'] === undefined && required.size === 0 && schema['additionalProperties'] !== false)
    return schema['additionalProperties'] === undefined ? [anyObject(tags, converter)] : []
  const isBare = [...properties.keys()].every((name) => BARE_KEY.test(name))
  if (!isBare || [...required].some((name) => !properties.has(name))) return []
  const members = [...properties].map(([name, property]) => {
    const value = choice(...inside(tags, property, below(path, 'properties', name), converter))
    return { written: rules.add(`${name}-own`, sequence(name, tags.assign, value)), isRequired: required.has(name) }
  })
  return [sequence('{', glued(members, comma(converter), rules), '}')]
}

function anyValue(tags: ArgumentTags, converter: Converter): Expression {
  const { rules } = converter
  return rules.share('own value', () =>
    choice(
      quoted(tags, plainText(tags, rules)),
      converter.convert({ type: ATOMS }, '#'),
      list('[', anyValue(tags, converter), ']', converter),
      anyObject(tags, converter),
    ),
  )
}

function anyObject(tags: ArgumentTags, converter: Converter): Expression {
  const { rules } = converter
  return rules.share('own object', () => {
    const key = repeat(characters([0x30, 0x39], [0x41, 0x5a], [0x61, 0x7a], '_$.-'), 1)
    const member = rules.add('own-member', sequence(key, tags.assign, anyValue(tags, converter)))
    return list('{', member, '}', converter)
  })
}

function list(open: string, item: Expression, close: string, converter: Converter): Expression {
  const { rules } = converter
  const further = rules.add('own-further', sequence(comma(converter), item))
  return sequence(open, optional(rules.add('own-items', sequence(item, repeat(further, 0)))), close)
}

function comma({ rules }: Converter): Expression {
  return sequence(',', blank(rules))
}
