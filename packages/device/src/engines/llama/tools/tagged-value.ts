// One argument with its tags, as part of a grammar. Text is written as it is, everything else as JSON.

import {
  below,
  choice,
  type Converter,
  type Expression,
  type GrammarRules,
  isObject,
  isPlainString,
  literal,
  optional,
  rawText,
  readNames,
  readProperties,
  repeat,
  type Schema,
  sequence,
} from '@hearth/json-schema-grammar'
import { isTextOnly, typesOf } from '../../formats/argument-values.ts'
import { ITEM, KEY, type ArgumentTags } from '../../formats/tool-syntax.ts'
import { mixedTexts } from './mixed-texts.ts'
import { hasOwnQuotes, ownValue } from './own-values.ts'
import { endMark, isBare, isText, plainText, quoted } from './tagged-text.ts'
import { wordingExpression } from './wording-grammar.ts'

export function taggedMember(
  tags: ArgumentTags,
  name: string,
  schema: Schema,
  path: string,
  converter: Converter,
): Expression {
  const value = taggedValue(tags, schema, path, converter)
  return sequence(tags.keyOpen, name, tags.assign, value, tags.valueClose.replace(KEY, name))
}

function taggedValue(tags: ArgumentTags, schema: Schema, path: string, converter: Converter): Expression {
  const { rules } = converter
  if (!isTextOnly(schema)) return choice(...mixedTexts(tags, schema, rules), otherValue(tags, schema, path, converter))
  const isProgram = tags.keyOpen === '' && /^["']$/.test(tags.stringOpen)
  // A string in JSON can contain every character, which one in a family's own quotes may not.
  if (isProgram && isText(schema)) return choice(converter.convert(schema, path), ...plainQuotes(tags, schema, rules))
  const limited = rawText(schema, path, endMark(tags), converter)
  return quoted(tags, limited === 'any' ? plainText(tags, rules) : limited)
}

function plainQuotes(tags: ArgumentTags, schema: Schema, rules: GrammarRules): Expression[] {
  if (tags.stringOpen !== "'" || !isObject(schema) || !isPlainString(schema)) return []
  return [sequence("'", plainText(tags, rules), "'")]
}

const CONSTANTS = { boolean: ['True', 'False'], null: ['None'] } as const

function otherValue(tags: ArgumentTags, schema: Schema, path: string, converter: Converter): Expression {
  const { rules } = converter
  const json = converter.convert(schema, path)
  const open = wordingExpression(tags.otherOpen ?? [], rules)
  const [type, ...more] = typesOf(schema) ?? []
  if (tags.keyOpen === '' && more.length === 0 && (type === 'boolean' || type === 'null') && isBare(schema))
    return choice(json, ...CONSTANTS[type].map(literal))
  if (hasOwnQuotes(tags)) return choice(...ownValue(tags, schema, path, converter), json)
  const nested = tags.isNested === true ? nestedValue(tags, schema, path, converter) : undefined
  return nested ?? sequence(open, json)
}

/** Lists and objects with tags inside. Those with rules that need counting or combining stay JSON, which the reader takes too. */
function nestedValue(tags: ArgumentTags, schema: Schema, path: string, converter: Converter): Expression | undefined {
  if (!isObject(schema) || Object.keys(schema).some((keyword) => !NESTED.includes(keyword))) return undefined
  const { rules } = converter
  if (schema['type'] === 'array') {
    const items = schema['items']
    if (!isObject(items)) return undefined
    const item = rules.add('item-tag', taggedMember(tags, ITEM, items, below(path, 'items'), converter))
    return repeat(item, 0)
  }
  const required = new Set(readNames(schema, 'required', path))
  const properties = readProperties(schema)
  if (schema['type'] !== 'object' || [...required].some((name) => !properties.has(name))) return undefined
  return sequence(
    ...[...properties].map(([name, property]) => {
      const inner = below(path, 'properties', name)
      const written = rules.add(`${name}-tag`, taggedMember(tags, name, property, inner, converter))
      return required.has(name) ? written : optional(written)
    }),
  )
}

const NESTED = ['type', 'properties', 'required', 'items', 'description', 'title', 'default', 'additionalProperties']
