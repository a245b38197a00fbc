// Strings with a length, a pattern or a format.

import { counted } from '../grammar/counted.ts'
import { sequence, type Expression } from '../grammar/expression.ts'
import { MAX_COUNT, type GrammarRules } from '../grammar/grammar-rules.ts'
import { directExpression } from '../language/direct-expression.ts'
import { toExpression } from '../language/to-expression.ts'
import { writeInString, type WriteCharacters } from '../grammar/write-characters.ts'
import type { WorkBudget } from '../language/work-budget.ts'
import type { StringShape } from '../shape/shape.ts'
import { requireStrings, stringLanguage } from '../shape/string-shape.ts'
import { formatPattern } from '../schema/formats.ts'
import { anyString, stringCharacter } from './json-text.ts'
import { NothingFits, SchemaError, below } from '../schema/schema-error.ts'
import { hasEffect } from '../schema/keywords.ts'
import { KEYWORDS_OF, type SchemaObject } from '../schema/schema-object.ts'

export function stringExpression(shape: StringShape, rules: GrammarRules, work: WorkBudget): Expression {
  return isAnyString(shape) ? anyString(rules) : sequence('"', contentOf(shape, writeInString, rules, work), '"')
}

/** Whether no keyword limits the strings of a schema. */
export function isPlainString(schema: SchemaObject): boolean {
  return Object.keys(schema).every((keyword) => {
    if (keyword === 'type' || !hasEffect(keyword)) return true
    if (keyword === 'format') return formatPattern(schema['format']) === undefined
    return (KEYWORDS_OF[keyword] ?? 'string') !== 'string'
  })
}

export function isAnyString({ min, max, languages, excluded }: StringShape): boolean {
  return min === 0 && max === Number.POSITIVE_INFINITY && languages.length === 0 && excluded.length === 0
}

/**
 * The text itself. If `write` writes something else than JSON, the shape needs a language that
 * tells.
 */
export function contentOf(
  shape: StringShape,
  write: WriteCharacters,
  rules: GrammarRules,
  work: WorkBudget,
): Expression {
  const { min, max, languages, excluded, path } = shape
  if (min > max) throw new NothingFits(path, '"minLength" is larger than "maxLength"')
  if (min > MAX_COUNT) throw new SchemaError(below(path, 'minLength'), `can't be enforced above ${MAX_COUNT}`)
  if (languages.length === 0 && excluded.length === 0) return lengthExpression(min, max, rules)
  const { key, language } = stringLanguage({ ...shape, max: Number.isFinite(max) ? Math.min(max, MAX_COUNT) : max })
  return rules.share(`text ${key}`, () => {
    const direct = directExpression(language, write, rules)
    if (direct !== undefined) return direct
    const { automaton, repeats } = requireStrings(shape, work)
    return toExpression(automaton, write, rules, repeats)
  })
}

function lengthExpression(min: number, max: number, rules: GrammarRules): Expression {
  const most = Number.isFinite(max) ? Math.min(max, MAX_COUNT) : max
  return rules.share(`text-${min}-${most}`, () => counted(stringCharacter(rules), min, most, rules))
}
