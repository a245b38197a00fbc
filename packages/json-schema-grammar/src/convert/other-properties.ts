// Properties that an object doesn't name. Their names are told apart by patterns, and each kind of
// name has its own schema.

import { choice, sequence, type Expression } from '../grammar/expression.ts'
import { accepts, isEmptyLanguage, type Automaton } from '../language/automaton.ts'
import { anyOf, textsOf } from '../language/language.ts'
import { toExpression } from '../language/to-expression.ts'
import { writeInString } from '../grammar/write-characters.ts'
import type { WorkBudget } from '../language/work-budget.ts'
import { namedProperties } from '../shape/object-shape.ts'
import type { Layer, NamedLanguage, ObjectShape, PatternTerm, Shape, SomeProperty } from '../shape/shape.ts'
import { compiledCells, compiledRest, locate } from '../shape/pattern.ts'
import { stringLanguage } from '../shape/string-shape.ts'
import { ANYTHING, both, isNever, never, type Term } from '../shape/term.ts'
import type { Conversion } from './conversion.ts'
import { anyString, memberOf } from './json-text.ts'
import { SchemaError, below } from '../schema/schema-error.ts'
import { isAnyString } from './strings.ts'

/** Names that the patterns don't tell apart. */
interface Cell {
  /** Undefined for any name. Throws PatternError. */
  names: ((work: WorkBudget) => Automaton) | undefined
  /** Equal for equal names. */
  key: string
  /** The keys of the patterns that these names match. */
  matching: ReadonlySet<string>
}

const MAX_CELLS = 16

/** Any property that isn't named; undefined if there can't be one. */
export function otherMembers(shape: ObjectShape, conversion: Conversion): Expression | undefined {
  if (shape.names.length === 0 && isClosed(shape) && !hasPatterns(shape)) return undefined
  const members = cellsOf(shape, [], conversion).flatMap((cell) => {
    const term = cellTerm(shape, cell)
    return memberFor(shape, cell, term, conversion) ?? []
  })
  return members.length === 0 ? undefined : conversion.rules.add('other-member', choice(...members))
}

/** A property that isn't named and is like `some`; undefined if there can't be one. */
export function someMember(shape: ObjectShape, some: SomeProperty, conversion: Conversion): Expression | undefined {
  const wanted = some.name === undefined ? [] : [namesIn(some.name, conversion)]
  if (wanted.includes('none')) return undefined
  const languages = wanted.filter((language) => typeof language === 'object')
  const patterns = some.pattern === undefined ? some.layer.patterns : [some.pattern]
  const cells = cellsOf(shape, patterns, conversion, languages).filter(({ matching }) =>
    some.pattern === undefined ? patterns.every(({ key }) => !matching.has(key)) : matching.has(some.pattern.key),
  )
  const isUnnamed = some.name !== undefined || some.pattern !== undefined
  const taken = new Set(namedProperties(shape))
  // Names that the layer lists don't count; if the shape doesn't list them too, they would have to
  // be left out here.
  if (!isUnnamed && [...some.layer.names.keys()].some((name) => !taken.has(name))) return undefined
  const members = cells.flatMap(
    (cell) => memberFor(shape, cell, both(openTerm(shape, cell), some.term), conversion) ?? [],
  )
  return members.length === 0 ? undefined : choice(...members)
}

/**
 * The names of other properties, if the schema lists them: they become properties like any other.
 */
export function listedNames(shape: ObjectShape, conversion: Conversion): readonly string[] | undefined {
  if (shape.names.length === 0) return undefined
  const { shapes: all } = conversion.expander.expand(shape.names)
  const shapes = all.filter(({ type }) => type === 'values' || type === 'string')
  if (!shapes.every((names) => names.type === 'values')) return undefined
  const names = shapes.flatMap(({ values }) => values.filter((value) => typeof value === 'string'))
  return isClosed(shape) ? [] : names
}

function memberFor(shape: ObjectShape, cell: Cell, term: Term, conversion: Conversion): Expression | undefined {
  if (isNever(term)) return undefined
  const name = cellName(shape, cell, conversion)
  const value = name && conversion.tryTerm(term)
  return name && value && memberOf(name, value, conversion.rules)
}

/** The term that the layers require of a property in a cell. */
function cellTerm(shape: ObjectShape, cell: Cell): Term {
  const isUnmatched = cell.matching.size === 0
  return isUnmatched && isClosed(shape) ? never(shape.path) : openTerm(shape, cell)
}

function openTerm({ layers }: ObjectShape, { matching }: Cell): Term {
  return layers.reduce((term, layer) => both(term, layerCellTerm(layer, matching)), ANYTHING)
}

function layerCellTerm({ patterns, others }: Layer, matching: ReadonlySet<string>): Term {
  const own = patterns.filter(({ key }) => matching.has(key))
  return own.length === 0 ? (others ?? ANYTHING) : own.reduce((term, pattern) => both(term, pattern.term), ANYTHING)
}

/** Without a word about other properties, a list of properties is meant to be complete. */
export function isClosed({ layers }: ObjectShape): boolean {
  return layers.some(({ isList }) => isList) && layers.every(({ others }) => others === undefined)
}

export function hasPatterns({ layers }: ObjectShape): boolean {
  return layers.some(({ patterns }) => patterns.length > 0)
}

/** Splits all unnamed names by every pattern. */
function cellsOf(
  shape: ObjectShape,
  patterns: readonly PatternTerm[],
  conversion: Conversion,
  wanted: readonly NamedLanguage[] = [],
): Cell[] {
  const names = shape.names.length === 0 ? 'any' : namesIn(shape.names, conversion)
  if (names === 'none') return []
  const known = new Map([...shape.layers.flatMap((layer) => layer.patterns), ...patterns].map((one) => [one.key, one]))
  const all = [...known.values()]
  const required = [...wanted, ...(names === 'any' ? [] : [names])]
  if (all.length + required.length === 0) return [{ names: undefined, key: '', matching: new Set() }]
  const at = below(shape.path, 'patternProperties')
  const hasOthers = required.length > 0 || patterns.length > 0 || !isClosed(shape)
  const cells = locate(at, () => compiledCells(required, all, hasOthers, conversion.expander.work))
    // If only some of a pattern's names are known, none can be said not to match.
    .filter(({ accepting }) => all.every(({ isExact }, index) => isExact || accepting[index] === true))
  if (cells.length > MAX_CELLS) throw new SchemaError(at, 'too many patterns that overlap')
  const key = [...required, ...all].map((named) => named.key).join(' ')
  return cells.map(({ automaton, accepting }) => ({
    names: automaton,
    key: `${accepting.map(Number).join('')} ${key}`,
    matching: new Set(all.filter((_, index) => accepting[index] === true).map(({ key }) => key)),
  }))
}

/** The texts that match a schema for names. */
function namesIn(term: Term, conversion: Conversion): NamedLanguage | 'any' | 'none' {
  const { shapes } = conversion.expander.expand(term)
  const languages = shapes.flatMap((shape) => nameLanguage(shape))
  if (languages.includes('any')) return 'any'
  const named = languages.filter((language) => language !== 'any')
  if (named.length === 0) return 'none'
  return { key: named.map(({ key }) => key).join('|'), language: anyOf(...named.map(({ language }) => language)) }
}

function nameLanguage(shape: Shape): (NamedLanguage | 'any')[] {
  if (shape.type === 'string') return [isAnyString(shape) ? 'any' : stringLanguage(shape)]
  const texts = shape.type === 'values' ? shape.values.filter((value) => typeof value === 'string') : []
  return texts.length === 0 ? [] : [{ key: JSON.stringify(texts), language: textsOf(texts) }]
}

/** Undefined if all names of a cell are taken by named properties. */
function cellName(shape: ObjectShape, cell: Cell, conversion: Conversion): Expression | undefined {
  const { rules, otherNames } = conversion
  if (cell.names !== undefined) return patternName(shape, cell.names, cell.key, conversion)
  const taken = namedProperties(shape)
  if (taken.length === 0) return anyString(rules)
  return rules.once(`other than ${JSON.stringify(taken)}`, () =>
    sequence('"', otherNames.noneOf(taken.map(toUnits)), '"'),
  )
}

/** As they are in a JSON string. */
function toUnits(name: string): string[] {
  const isPlain = JSON.stringify(name).length === name.length + 2
  return isPlain ? Array.from(name) : Array.from(name, (character) => JSON.stringify(character).slice(1, -1))
}

function patternName(
  shape: ObjectShape,
  namesWith: (work: WorkBudget) => Automaton,
  key: string,
  { expander: { work }, rules }: Conversion,
): Expression | undefined {
  const at = below(shape.path, 'patternProperties')
  const names = locate(at, () => namesWith(work))
  // Most of them don't match, and each one that has to be left out makes the automaton larger.
  const matching = namedProperties(shape).filter((name) => accepts(names, name))
  const leftKey = `name ${key} ${JSON.stringify(matching)}`
  const left = matching.length === 0 ? names : locate(at, () => compiledRest(leftKey, names, matching, work))
  if (isEmptyLanguage(left)) return undefined
  return rules.share(leftKey, () => sequence('"', toExpression(left, writeInString, rules), '"'))
}
