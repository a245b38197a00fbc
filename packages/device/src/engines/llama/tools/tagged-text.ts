// Values of arguments that are written as plain text.

import {
  type CharacterRange,
  choice,
  type Expression,
  type GrammarRules,
  isObject,
  type Schema,
  sequence,
  textUpTo,
} from '@hearth/json-schema-grammar'
import { isTextOnly } from '../../formats/argument-values.ts'
import { KEY, type ArgumentTags } from '../../formats/tool-syntax.ts'

export function quoted({ stringOpen, stringClose }: ArgumentTags, inside: Expression): Expression {
  return sequence(stringOpen, inside, stringClose)
}

/** The text that ends a value. */
export function endMark({ stringClose, valueClose }: ArgumentTags): string {
  const [close = ''] = (stringClose + valueClose).split(KEY)
  return close.trim()
}

/** Text up to the closing tag that doesn't begin with some characters, or wrapped if it contains that tag. */
export function plainText(
  tags: ArgumentTags,
  rules: GrammarRules,
  notFirst: readonly CharacterRange[] = [],
): Expression {
  const { wrapper } = tags
  const mark = endMark(tags)
  const text = rules.share(`until-${mark} ${notFirst.join(' ')}`, () => textUpTo(mark, rules, notFirst))
  if (wrapper === undefined) return text
  return choice(text, sequence(wrapper.open, textUpTo(wrapper.close, rules), wrapper.close))
}

export function isBare(schema: Schema): boolean {
  return isObject(schema) && schema['enum'] === undefined && schema['const'] === undefined
}

export function isText(schema: Schema): boolean {
  return isTextOnly(schema) && isBare(schema)
}

/** The values of an enum or const, if all of them are strings. */
export function textValues(schema: Schema): readonly string[] | undefined {
  if (!isObject(schema) || isBare(schema) || !isTextOnly(schema)) return undefined
  const values: unknown = schema['enum'] ?? [schema['const']]
  return values as readonly string[]
}
