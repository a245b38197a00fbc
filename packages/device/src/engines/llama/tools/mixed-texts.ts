// Parameters that can be text or something else, such as `string | null`. Models write the text as it is, like that of any other parameter,
// and JSON for everything else. The reader takes text that is JSON of another type for that, so such text has to be valid too.

import {
  type CharacterRange,
  type Expression,
  type GrammarRules,
  isObject,
  isPlainString,
  oneOfTexts,
  type Schema,
  type SchemaObject,
} from '@hearth/json-schema-grammar'
import { isTextOnly, toJsonValue, typesOf } from '../../formats/argument-values.ts'
import type { ArgumentTags } from '../../formats/tool-syntax.ts'
import { isBare, plainText, quoted, textValues } from './tagged-text.ts'

/** JSON begins after blanks, and a string in quotes is one. */
const BLANKS_AND_QUOTES: readonly CharacterRange[] = [...rangesOf('"\''), [0, 0x20], [0x7f, 0xa0], [0x16_80, 0x16_80]]
const MORE_BLANKS: readonly CharacterRange[] = [
  [0x20_00, 0x20_0a],
  [0x20_28, 0x20_2f],
  [0x20_5f, 0x20_5f],
  [0x30_00, 0x30_00],
  [0xfe_ff, 0xfe_ff],
]
/** The first characters of values that text could be taken for. */
const FIRST: Readonly<Record<string, string>> = {
  array: '[(',
  object: '{',
  number: '-0123456789',
  integer: '-0123456789',
}

const NUMBER_LIMITS = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']
const COMBINING = ['$ref', '$dynamicRef', '$recursiveRef', 'allOf', 'anyOf', 'oneOf', 'not', 'if', 'enum', 'const']

/** The ways to write the texts of a parameter that isn't only text. */
export function mixedTexts(tags: ArgumentTags, schema: Schema, rules: GrammarRules): Expression[] {
  const isProgram = tags.keyOpen === ''
  if (isProgram || typesOf(schema)?.has('string') !== true || !isObject(schema)) return []
  if (Array.isArray(schema['enum'])) return listedTexts(tags, schema, schema['enum'], rules)
  const branches = branchesOf(schema)
  const others = branches?.filter((branch) => !isTextOnly(branch))
  if (branches === undefined || others?.every(isKnown) !== true) return []
  const texts = branches.filter((branch) => isTextOnly(branch))
  const listed = texts.flatMap((branch) => textValues(branch) ?? [])
  const isFree = texts.some((branch) => isBare(branch) && isPlainString(branch))
  return [
    ...listedTexts(tags, schema, listed, rules),
    ...(isFree ? [quoted(tags, plainText(tags, rules, tags.stringOpen === '' ? notFirst(others) : []))] : []),
  ]
}

/** Of listed values, the texts that are read as they are meant. */
function listedTexts(
  tags: ArgumentTags,
  schema: SchemaObject,
  values: readonly unknown[],
  rules: GrammarRules,
): Expression[] {
  const texts = values
    .filter((value) => typeof value === 'string')
    .filter((text) => tags.stringOpen !== '' || toJsonValue(text, schema) === JSON.stringify(text))
  return texts.length === 0 ? [] : [quoted(tags, rules.add('texts', oneOfTexts(texts, rules)))]
}

/** A schema for each type; undefined if more than the type decides. */
function branchesOf(schema: SchemaObject): readonly SchemaObject[] | undefined {
  const combining = COMBINING.filter((keyword) => schema[keyword] !== undefined)
  if (Array.isArray(schema['type']))
    return combining.length === 0 ? schema['type'].map((type: unknown) => ({ ...schema, type })) : undefined
  const [keyword] = combining
  const isUnion = combining.length === 1 && (keyword === 'anyOf' || keyword === 'oneOf') && schema['type'] === undefined
  const branches = isUnion ? (schema[keyword] as readonly Schema[]).filter(isObject) : []
  const types = branches.map(({ type }) => type)
  // Of `oneOf`, only one may match, and an integer is a number too.
  const isClear = keyword === 'anyOf' || (new Set(types).size === types.length && !types.includes('number'))
  return isUnion && isClear ? branches : undefined
}

/** Whether the type says which texts could be taken for a value of this schema. */
function isKnown(schema: SchemaObject): boolean {
  const { type } = schema
  return typeof type === 'string' && COMBINING.every((keyword) => schema[keyword] === undefined)
}

function notFirst(others: readonly SchemaObject[]): readonly CharacterRange[] {
  const excluded = others.flatMap((schema) => {
    const type = String(schema['type'])
    const isNumber = type === 'number' || type === 'integer'
    const isFree = isNumber && NUMBER_LIMITS.every((keyword) => schema[keyword] === undefined)
    return isFree ? [] : rangesOf(FIRST[type] ?? '')
  })
  return [...BLANKS_AND_QUOTES, ...MORE_BLANKS, ...excluded]
}

function rangesOf(text: string): readonly CharacterRange[] {
  return Array.from(text, (character): CharacterRange => [character.charCodeAt(0), character.charCodeAt(0)])
}
