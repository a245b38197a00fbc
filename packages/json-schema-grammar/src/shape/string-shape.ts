// The keywords of strings.

import { accepts, type Automaton } from '../language/automaton.ts'
import { compile } from '../language/compile.ts'
import { PatternError, allOf, not, textsOf, type Language } from '../language/language.ts'
import { readRegex } from '../language/read-regex.ts'
import { languageOf, simplerLanguageOf } from '../language/regex.ts'
import { beginWork } from '../language/work.ts'
import { FORMAT_NAMES, formatPattern, simplerFormat } from '../schema/formats.ts'
import { NothingFits, SchemaError, below } from '../schema/schema-error.ts'
import { readCount, type SchemaObject } from '../schema/schema-object.ts'
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
  return simpler === undefined ? named : { ...named, simpler: readPattern(simpler, path, true).named.language }
}

export interface Pattern {
  named: NamedLanguage
  isExact: boolean
}

const KEPT_PATTERNS = 256
/** Reading a pattern is cheap next to compiling it, but formats come up again and again. */
const known = new Map<string, Pattern>()

export function readPattern(source: unknown, path: string, isTrusted = false): Pattern {
  if (typeof source !== 'string') throw new SchemaError(path, 'must be a regular expression')
  const found = known.get(source)
  if (found !== undefined) return found
  const { regex, isExact } = locate(path, () => readRegex(source, isTrusted))
  const language = locate(path, () => languageOf(regex))
  const simpler = locate(path, () => simplerLanguageOf(regex))
  const pattern = { named: { key: `/${source}/`, language, simpler }, isExact }
  if (known.size >= KEPT_PATTERNS) known.delete(known.keys().next().value!)
  known.set(source, pattern)
  return pattern
}

/** Adds the place to what is wrong with a pattern. */
export function locate<Result>(path: string, make: () => Result): Result {
  try {
    return make()
  } catch (error) {
    throw error instanceof PatternError ? new SchemaError(path, error.message) : error
  }
}

/** Strings that violate one of the keywords. A format is only excluded if nothing else can be: its pattern is often stricter than it. */
export function violateString(schema: SchemaObject, path: string): StringShape[] {
  const any = anyStringShape('meant', path)
  const min = readCount(schema, 'minLength', path) ?? 0
  const max = readCount(schema, 'maxLength', path)
  const { pattern } = schema
  return [
    ...(min === 0 ? [] : [{ ...any, max: min - 1 }]),
    ...(max === undefined ? [] : [{ ...any, min: max + 1 }]),
    ...(pattern === undefined ? [] : [{ ...any, languages: [invertPattern(pattern, below(path, 'pattern'))] }]),
  ]
}

function invertPattern(source: unknown, path: string): NamedLanguage {
  const { named, isExact } = readPattern(source, path)
  if (!isExact) throw new SchemaError(path, "can't be inverted, because only some of its texts are known")
  return invert(named)
}

export function invert({ key, language }: NamedLanguage): NamedLanguage {
  return { key: `!${key}`, language: not(language) }
}

export function joinStrings(a: StringShape, b: StringShape): StringShape | undefined {
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
  return isNew && compileString(joined).accepts.length === 0 ? undefined : joined
}

function unique(languages: readonly NamedLanguage[]): NamedLanguage[] {
  return [...new Map(languages.map((language) => [language.key, language])).values()]
}

export function isStringInShape(text: string, shape: StringShape): boolean {
  const length = Array.from(text).length
  if (length < shape.min || length > shape.max || shape.excluded.includes(text)) return false
  return shape.languages.every((named) => isInLanguage(text, named, shape.path))
}

export function isInLanguage(text: string, { key, language }: NamedLanguage, path: string): boolean {
  return accepts(
    locate(path, () => compiled(key, language)),
    text,
  )
}

/** How often a loop can repeat if a pattern is too much for its length. With less, a simpler pattern is better; then less is nothing. */
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
    simpler: allOf(...all.map(({ language, simpler }) => simpler ?? language), ...lengths(LEAST_SHARE)),
  }
}

function compileString(shape: StringShape): Automaton {
  const { key, language, simpler } = stringLanguage(shape)
  return locate(shape.path, () => {
    try {
      return compiled(key, language)
    } catch (error) {
      if (!(error instanceof PatternError) || simpler === undefined) throw error
      return compiled(`simpler ${key}`, simpler)
    }
  })
}

/** Compiles all formats, so that the first schema with one doesn't take longer than the next. */
export function prepareFormats(): void {
  for (const format of FORMAT_NAMES) {
    beginWork()
    requireStrings(readStringShape({ format }, '#', 'meant'))
  }
}

export function requireStrings(shape: StringShape): Automaton {
  const automaton = compileString(shape)
  if (automaton.accepts.length === 0)
    throw new NothingFits(shape.path, 'no text matches its pattern, format and length')
  return automaton
}

const KEPT_AUTOMATA = 128
const automata = new Map<string, Automaton>()

function compiled(key: string, language: Language): Automaton {
  let automaton = automata.get(key)
  if (automaton === undefined) {
    automaton = compile(language)
    if (automata.size >= KEPT_AUTOMATA) automata.delete(automata.keys().next().value!)
  } else automata.delete(key)
  automata.set(key, automaton)
  return automaton
}
