// The keywords of objects.

import type { WorkBudget } from '../language/work-budget.ts'
import { SchemaError, below } from '../schema/schema-error.ts'
import {
  isObject,
  readCount,
  readNames,
  readProperties,
  type Schema,
  type SchemaObject,
} from '../schema/schema-object.ts'
import {
  anyObjectShape,
  joinIntents,
  type Intent,
  type Layer,
  type ObjectShape,
  type PatternTerm,
  type SomeProperty,
} from './shape.ts'
import { isInLanguage, readPattern } from './pattern.ts'
import { ANYTHING, both, isNever, negatedTerm, never, termAt, type Term } from './term.ts'
import { getOrMake } from '../get-or-make.ts'

const UNLIMITED = Number.POSITIVE_INFINITY

export function readObjectShape(schema: SchemaObject, path: string, intent: Intent): ObjectShape {
  const names = schema['propertyNames'] as Schema | undefined
  return {
    ...anyObjectShape(intent, path),
    layers: readLayer(schema, path),
    required: [...new Set(readNames(schema, 'required', path))],
    names: names === undefined ? ANYTHING : termAt(names, path, 'propertyNames'),
    min: readCount(schema, 'minProperties', path) ?? 0,
    max: readCount(schema, 'maxProperties', path) ?? UNLIMITED,
  }
}

function readLayer(schema: SchemaObject, path: string): Layer[] {
  const { properties, patternProperties, additionalProperties: others } = schema
  if (properties === undefined && patternProperties === undefined && others === undefined) return []
  return [
    {
      names: readNamedTerms(schema, below(path, 'properties')),
      patterns: readPatterns(patternProperties, below(path, 'patternProperties')),
      others: others === undefined ? undefined : termAt(others as Schema, path, 'additionalProperties'),
      isList: properties !== undefined || patternProperties !== undefined,
    },
  ]
}

function readNamedTerms({ properties = {} }: SchemaObject, path: string): ReadonlyMap<string, Term> {
  const terms = new Map<string, Term>()
  for (const [name, schema] of Object.entries(properties as object))
    terms.set(name, termAt(schema as Schema, path, name))
  return terms
}

function readPatterns(patterns: unknown, path: string): PatternTerm[] {
  if (!isObject(patterns)) return []
  return Object.entries(patterns).map(([source, schema]) => {
    const at = below(path, source)
    const { named, isExact } = readPattern(source, at)
    const negated = negatedTerm(schema as Schema, at)
    return { ...named, isExact, term: termAt(schema as Schema, path, source), negated }
  })
}

/** The term that a layer requires of one property. */
function layerTerm({ names, patterns, others }: Layer, name: string, path: string, work: WorkBudget): Term {
  if (patterns.length === 0) return names.get(name) ?? others ?? ANYTHING
  const matching = patterns.filter((pattern) => matchesName(pattern, name, path, work))
  const own = names.get(name)
  if (own === undefined && matching.length === 0) return others ?? ANYTHING
  return matching.reduce((term, pattern) => both(term, pattern.term), own ?? ANYTHING)
}

export function matchesName(pattern: PatternTerm, name: string, path: string, work: WorkBudget): boolean {
  const isMatch = isInLanguage(name, pattern, path, work)
  if (!isMatch && !pattern.isExact)
    throw new SchemaError(below(path, 'patternProperties'), `whether ${pattern.key} matches "${name}" is not known`)
  return isMatch
}

export function propertyTerm({ layers, path }: ObjectShape, name: string, work: WorkBudget): Term {
  let term = ANYTHING
  for (const layer of layers) term = both(term, layerTerm(layer, name, path, work))
  return term
}

/** Combining shapes asks for these again and again. */
const named = new WeakMap<ObjectShape, readonly string[]>()

/** Every property that a shape names, in the order of the schema. */
export function namedProperties(shape: ObjectShape): readonly string[] {
  return getOrMake(named, shape, () => [...readNamed(shape)])
}

function readNamed({ layers, required }: ObjectShape): ReadonlySet<string> {
  const names = new Set<string>()
  for (const isList of [true, false])
    for (const layer of layers) if (layer.isList === isList) for (const name of layer.names.keys()) names.add(name)
  for (const name of required) names.add(name)
  return names
}

/** The same objects, with one of their required properties written first. */
export function beginWith(name: string, shape: ObjectShape): ObjectShape {
  const isList = shape.layers.some((layer) => layer.isList)
  return { ...shape, layers: [{ ...layerOf(name, ANYTHING), isList }, ...shape.layers] }
}

function layerOf(name: string, term: Term): Layer {
  return { names: new Map([[name, term]]), patterns: [], isList: false }
}

export function withProperty(path: string, name: string, term: Term): ObjectShape {
  return { ...anyObjectShape('meant', path), layers: [layerOf(name, term)], required: [name] }
}

export function withoutProperty(path: string, name: string): ObjectShape {
  return { ...anyObjectShape('meant', path), layers: [layerOf(name, never(path))] }
}

/** Objects that violate one of the keywords. */
export function violateObject(schema: SchemaObject, path: string): ObjectShape[] {
  const any = anyObjectShape('meant', path)
  const { min, max, required } = readObjectShape(schema, path, 'meant')
  const wrongNamed = [...readProperties(schema)]
    .filter(([, property]) => property !== true)
    .map(([name, property]) => withProperty(path, name, negatedTerm(property, below(path, 'properties', name))))
  return [
    ...required.map((name) => withoutProperty(path, name)),
    ...wrongNamed,
    ...(min === 0 ? [] : [{ ...any, max: min - 1 }]),
    ...(max === UNLIMITED ? [] : [{ ...any, min: max + 1 }]),
    ...wrongProperties(schema, path).map((some) => ({ ...any, some: [some] })),
  ]
}

// At least one property whose value or name is wrong.
function wrongProperties(schema: SchemaObject, path: string): SomeProperty[] {
  const [layer = { names: new Map(), patterns: [], isList: false }] = readLayer(schema, path)
  const { additionalProperties: others, propertyNames } = schema
  const inverted = (value: unknown, keyword: string) => negatedTerm(value as Schema, below(path, keyword))
  const matching = layer.patterns.map((pattern): SomeProperty => ({ layer, pattern, term: pattern.negated }))
  const unnamed = others === undefined ? [] : [{ layer, term: inverted(others, 'additionalProperties') }]
  const free: Layer = { names: new Map(), patterns: [], isList: false }
  const wrongName =
    propertyNames === undefined ? [] : [{ layer: free, name: inverted(propertyNames, 'propertyNames'), term: ANYTHING }]
  return [...matching, ...unnamed, ...wrongName].filter(({ term }) => !isNever(term))
}

export function joinObjects(a: ObjectShape, b: ObjectShape): ObjectShape | undefined {
  const [min, max] = [Math.max(a.min, b.min), Math.min(a.max, b.max)]
  const required = [...new Set([...a.required, ...b.required])]
  if (min > max || required.length > max) return undefined
  return {
    ...a,
    intent: joinIntents(a.intent, b.intent),
    layers: [...a.layers, ...b.layers.filter((layer) => !a.layers.includes(layer))],
    required,
    names: both(a.names, b.names),
    min,
    max,
    some: [...a.some, ...b.some.filter((one) => !a.some.includes(one))],
  }
}

/** Applies `unevaluatedProperties` to the properties that no layer is about. */
export function limitUnnamed(shape: ObjectShape, others: Term): ObjectShape {
  const { layers } = shape
  const seen = layers.filter(({ isHidden }) => isHidden !== true)
  if (seen.some((layer) => layer.others !== undefined)) return shape
  const evaluated = seen.filter(({ isList }) => isList)
  const layer: Layer = {
    names: new Map(evaluated.flatMap((layer) => [...layer.names.keys()].map((name) => [name, ANYTHING] as const))),
    patterns: evaluated.flatMap((layer) => layer.patterns.map(unlimited)),
    others,
    isList: true,
  }
  return { ...shape, layers: [...layers, layer] }
}

function unlimited(pattern: PatternTerm): PatternTerm {
  return { ...pattern, term: ANYTHING, negated: never(pattern.key) }
}

/** The same objects, but as if no keyword had been about their properties. */
export function hideLayers(shape: ObjectShape): ObjectShape {
  return { ...shape, layers: shape.layers.map((layer) => ({ ...layer, isList: false, isHidden: true })) }
}
