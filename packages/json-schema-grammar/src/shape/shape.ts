// The values that a schema allows, as a list of shapes: each has one type and only the keywords of
// that type, with combined schemas already worked out. A value is valid if it has one of the
// shapes. A shape may stand for fewer values than the schema, never for more.

import type { Language } from '../language/language.ts'
import type { Term } from './term.ts'

/**
 * By the standard, a schema with only `properties` also allows any value that isn't an object.
 * Nobody means that: such shapes are `incidental`, and left out if there are others. A shape is
 * `meant` if a keyword is about its type.
 */
export type Intent = 'meant' | 'open' | 'incidental'

interface AnyShape {
  readonly intent: Intent
}

export type PlainShape = AnyShape & { readonly type: 'null' | 'true' | 'false' }

/** A list of values. */
export interface ValueShape extends AnyShape {
  readonly type: 'values'
  readonly values: readonly unknown[]
}

export interface Bound {
  readonly value: number
  readonly isExclusive: boolean
}

export interface NumberShape extends AnyShape {
  readonly type: 'number'
  /** Whether the number has to be an integer (true) or must not be one (false). */
  readonly isInteger?: boolean | undefined
  readonly low?: Bound | undefined
  readonly high?: Bound | undefined
  readonly multiples: readonly number[]
  readonly notMultiples: readonly number[]
  readonly excluded: readonly number[]
}

export interface NamedLanguage {
  /** Equal for equal languages. */
  readonly key: string
  readonly language: Language
  /** Some of the texts, for when all of them are too many to tell apart. */
  readonly simpler?: () => Language
  /** Nothing but a format. There are few, and they come up again and again. */
  readonly isFormat?: boolean
}

export interface StringShape extends AnyShape {
  readonly type: 'string'
  readonly min: number
  readonly max: number
  readonly languages: readonly NamedLanguage[]
  readonly excluded: readonly string[]
  readonly path: string
}

export interface Contained {
  readonly term: Term
  readonly negated: Term
  readonly min: number
  readonly max: number
  /** Items before this one don't count. */
  readonly from: number
}

export interface ArrayShape extends AnyShape {
  readonly type: 'array'
  readonly prefix: readonly Term[]
  /** For the items after the prefix. */
  readonly items: Term
  readonly min: number
  readonly max: number
  /** Whether the schema says how many items there have to be. */
  readonly hasMin: boolean
  readonly contained: readonly Contained[]
  readonly isUnique: boolean
  /** How many items `unevaluatedItems` doesn't apply to. */
  readonly evaluated: number
  readonly path: string
}

export interface PatternTerm extends NamedLanguage {
  readonly isExact: boolean
  readonly term: Term
  readonly negated: Term
}

/** The properties of one schema. Several layers apply at the same time, each to all properties. */
export interface Layer {
  readonly names: ReadonlyMap<string, Term>
  readonly patterns: readonly PatternTerm[]
  /**
   * For properties that are neither named nor match a pattern; undefined if the schema doesn't say.
   */
  readonly others?: Term | undefined
  /** The schema lists its properties, so others aren't meant unless it says so. */
  readonly isList: boolean
  /** The layer comes out of a `not`, which `unevaluatedProperties` doesn't see. */
  readonly isHidden?: boolean
}

/** At least one property has to be like this. */
export interface SomeProperty {
  /** The layer whose unnamed properties (or those of one pattern) are looked at. */
  readonly layer: Layer
  readonly pattern?: PatternTerm | undefined
  readonly name?: Term | undefined
  readonly term: Term
}

export interface ObjectShape extends AnyShape {
  readonly type: 'object'
  readonly layers: readonly Layer[]
  readonly required: readonly string[]
  /** Every name has to match these. */
  readonly names: Term
  readonly min: number
  readonly max: number
  readonly some: readonly SomeProperty[]
  readonly path: string
}

export type Shape = PlainShape | ValueShape | NumberShape | StringShape | ArrayShape | ObjectShape

export function joinIntents(a: Intent, b: Intent): Intent {
  if (a === 'meant' || b === 'meant') return 'meant'
  return a === 'incidental' || b === 'incidental' ? 'incidental' : 'open'
}

const UNLIMITED = { min: 0, max: Number.POSITIVE_INFINITY }

export function anyNumberShape(intent: Intent): NumberShape {
  return { type: 'number', intent, multiples: [], notMultiples: [], excluded: [] }
}

export function anyStringShape(intent: Intent, path: string): StringShape {
  return { type: 'string', intent, ...UNLIMITED, languages: [], excluded: [], path }
}

export function anyArrayShape(intent: Intent, path: string): ArrayShape {
  return {
    type: 'array',
    intent,
    prefix: [],
    items: [],
    ...UNLIMITED,
    hasMin: false,
    contained: [],
    isUnique: false,
    evaluated: 0,
    path,
  }
}

export function anyObjectShape(intent: Intent, path: string): ObjectShape {
  return { type: 'object', intent, layers: [], required: [], names: [], ...UNLIMITED, some: [], path }
}

/** A shape for each type. */
export function anyShapes(intent: Intent, path: string): Shape[] {
  return [
    anyObjectShape(intent, path),
    anyArrayShape(intent, path),
    anyStringShape(intent, path),
    anyNumberShape(intent),
    { type: 'true', intent },
    { type: 'false', intent },
    { type: 'null', intent },
  ]
}
