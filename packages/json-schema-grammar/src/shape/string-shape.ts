// The keywords of strings.

import { isEmptyLanguage } from '../language/automaton.ts'
import type { BoundedAutomaton } from '../language/bound-repeats.ts'
import { PatternError, allOf, textsOf } from '../language/language.ts'
import { WorkBudget, WorkSpent } from '../language/work-budget.ts'
import { onlyOne } from '../only-one.ts'
import { FORMAT_NAMES, formatPattern, simplerFormat, widerFormat } from '../schema/formats.ts'
import { NothingFits, below } from '../schema/schema-error.ts'
import { readCount, type SchemaObject } from '../schema/schema-object.ts'
import { compiledText, invert, invertPattern, isInLanguage, locate, readPattern } from './pattern.ts'
import { anyStringShape, joinIntents, type Intent, type NamedLanguage, type StringShape } from './shape.ts'

export function readStringShape(schema: SchemaObject, path: string, intent: Intent): StringShape {
  const min = readCount(schema, 'minLength', path) ?? 0
  const max = readCount(schema, 'maxLength', path) ?? Number.POSITIVE_INFINITY
  const { pattern, format } = schema
  const formatted = formatPattern(format)
  const patterns = pattern === undefined ? [] : [readPattern(pattern, below(path, 'pattern')).named]
  const formats = formatted === undefined ? [] : [readFormat(format, formatted, below(path, 'format'))]
  return { ...anyStringShape(intent, path), min, max, languages: [...patterns, ...formats] }
}

// Some formats have a simpler pattern for when there is a length too.
function readFormat(format: unknown, formatted: string, path: string): NamedLanguage {
  const { named } = readPattern(formatted, path, true)
  const simpler = simplerFormat(format)
  return simpler === undefined ? named : { ...named, simpler: () => readPattern(simpler, path, true).named.language }
}

/**
 * Strings that violate one of the keywords. The pattern of a format is often stricter than the
 * format, so a wider one is violated.
 */
export function violateString(schema: SchemaObject, path: string): StringShape[] {
  const any = anyStringShape('meant', path)
  const min = readCount(schema, 'minLength', path) ?? 0
  const max = readCount(schema, 'maxLength', path)
  const { pattern, format } = schema
  const formatted = widerFormat(format)
  return [
    ...(min === 0 ? [] : [{ ...any, max: min - 1 }]),
    ...(max === undefined ? [] : [{ ...any, min: max + 1 }]),
    ...(pattern === undefined ? [] : [{ ...any, languages: [invertPattern(pattern, below(path, 'pattern'))] }]),
    ...(formatted === undefined
      ? []
      : [{ ...any, languages: [invertPattern(formatted, below(path, 'format'), true)] }]),
  ]
}

export function joinStrings(a: StringShape, b: StringShape, work: WorkBudget): StringShape | undefined {
  const [min, max] = [Math.max(a.min, b.min), Math.min(a.max, b.max)]
  if (min > max) return undefined
  const joined = {
    ...a,
    intent: joinIntents(a.intent, b.intent),
    min,
    max,
    languages: unique([...a.languages, ...b.languages]),
    excluded: [...new Set([...a.excluded, ...b.excluded])],
  }
  const isNew = joined.languages.length > a.languages.length && joined.languages.length > b.languages.length
  return isNew && isEmptyLanguage(compileString(joined, work).automaton) ? undefined : joined
}

function unique(languages: readonly NamedLanguage[]): NamedLanguage[] {
  return [...new Map(languages.map((language) => [language.key, language])).values()]
}

export function isStringInShape(text: string, shape: StringShape, work: WorkBudget): boolean {
  const length = Array.from(text).length
  if (length < shape.min || length > shape.max || shape.excluded.includes(text)) return false
  return shape.languages.every((named) => isInLanguage(text, named, shape.path, work))
}

/**
 * How often a loop can repeat if a pattern is too much for its length. With less, a simpler pattern
 * is better; then less is nothing.
 */
const GOOD_SHARE = 64
const LEAST_SHARE = 12

/** The language of a shape, with its length. */
export function stringLanguage(shape: StringShape): NamedLanguage {
  const { min, max, languages, excluded } = shape
  const hasLength = min > 0 || Number.isFinite(max)
  const others = excluded.length === 0 ? [] : [invert({ key: JSON.stringify(excluded), language: textsOf(excluded) })]
  const all = [...languages, ...others]
  const lengths = (share: number) => (hasLength ? [{ type: 'length', min, max, share } as const] : [])
  return {
    key: `${hasLength ? `${min}-${max} ` : ''}${all.map(({ key }) => key).join(' ')}`,
    language: allOf(...all.map(({ language }) => language), ...lengths(GOOD_SHARE)),
    simpler: () => allOf(...all.map(({ language, simpler }) => simpler?.() ?? language), ...lengths(LEAST_SHARE)),
    isFormat: !hasLength && onlyOne(all)?.isFormat === true,
  }
}

function compileString(shape: StringShape, work: WorkBudget): BoundedAutomaton {
  const named = stringLanguage(shape)
  const { key, simpler } = named
  return locate(shape.path, () => {
    try {
      return compiledText(named, work)
    } catch (error) {
      if (!(error instanceof PatternError) || error instanceof WorkSpent || simpler === undefined) throw error
      return compiledText({ key: `simpler ${key}`, language: simpler() }, work)
    }
  })
}

/**
 * Compiles all formats, so that the first schema with one doesn't take longer than the next. The
 * caller can do something else in between.
 */
export function* prepareFormats(): Generator<undefined, void> {
  for (const format of FORMAT_NAMES) {
    requireStrings(readStringShape({ format }, '#', 'meant'), new WorkBudget())
    yield
  }
}

export function requireStrings(shape: StringShape, work: WorkBudget): BoundedAutomaton {
  const compiled = compileString(shape, work)
  if (isEmptyLanguage(compiled.automaton))
    throw new NothingFits(shape.path, 'no text matches its pattern, format and length')
  return compiled
}
