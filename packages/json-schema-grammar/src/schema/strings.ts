// Strings with a length, a pattern or a format.

import { repeat, sequence, type Expression } from '../grammar/expression.ts'
import { MAX_COUNT, type GrammarRules } from '../grammar/grammar-rules.ts'
import { formatPattern, isRejectedFormat } from './formats.ts'
import { anyString, stringCharacter } from './json-text.ts'
import { PatternError, readPattern, type Pattern } from './patterns.ts'
import { NothingFits, SchemaError, below } from './schema-error.ts'
import { readCount, type SchemaObject } from './schema-object.ts'

export function stringExpression(schema: SchemaObject, path: string, rules: GrammarRules): Expression {
  return isPlainString(schema) ? anyString(rules) : sequence('"', stringContent(schema, path, rules), '"')
}

/** The text between the quotes. */
export function stringContent(schema: SchemaObject, path: string, rules: GrammarRules): Expression {
  const min = readCount(schema, 'minLength', path) ?? 0
  const max = readCount(schema, 'maxLength', path) ?? Number.POSITIVE_INFINITY
  if (min > max) throw new NothingFits(path, '"minLength" is larger than "maxLength"')
  const pattern = patternOf(schema, path, rules)
  if (pattern === undefined) return lengthExpression(min, max, path, rules)
  if (pattern.length.min < min || pattern.length.max > max)
    throw new SchemaError(
      path,
      `"minLength" and "maxLength" can't be enforced with a pattern or format that allows other lengths`,
    )
  return pattern.expression
}

export function isPlainString(schema: SchemaObject): boolean {
  const { minLength, maxLength, pattern, format } = schema
  const isFree = formatPattern(format) === undefined && !isRejectedFormat(format)
  return minLength === undefined && maxLength === undefined && pattern === undefined && isFree
}

function lengthExpression(min: number, max: number, path: string, rules: GrammarRules): Expression {
  if (min > MAX_COUNT) throw new SchemaError(below(path, 'minLength'), `can't be enforced above ${MAX_COUNT}`)
  const most = Number.isFinite(max) ? Math.min(max, MAX_COUNT) : max
  return rules.share(`text-${min}-${most}`, () => repeat(stringCharacter(rules), min, most))
}

function patternOf(schema: SchemaObject, path: string, rules: GrammarRules): Pattern | undefined {
  const { pattern, format } = schema
  if (isRejectedFormat(format)) throw new SchemaError(below(path, 'format'), "this format can't be enforced")
  const formatted = formatPattern(format)
  if (pattern === undefined) return formatted === undefined ? undefined : read(formatted, below(path, 'format'), rules)
  if (typeof pattern !== 'string') throw new SchemaError(below(path, 'pattern'), 'must be a regular expression')
  if (formatted !== undefined) throw new SchemaError(path, '"pattern" and "format" can\'t be enforced together')
  return read(pattern, below(path, 'pattern'), rules)
}

function read(pattern: string, path: string, rules: GrammarRules): Pattern {
  try {
    return readPattern(pattern, rules)
  } catch (error) {
    throw error instanceof PatternError ? new SchemaError(path, error.message) : error
  }
}
