// The keywords of arrays.

import { below } from '../schema/schema-error.ts'
import { readCount, readSchemas, type Schema, type SchemaObject } from '../schema/schema-object.ts'
import { anyArrayShape, joinIntents, type ArrayShape, type Contained, type Intent } from './shape.ts'
import { ANYTHING, both, isNever, negatedTerm, termAt, type Term } from './term.ts'

const UNLIMITED = Number.POSITIVE_INFINITY

interface Items {
  prefix: readonly Schema[]
  prefixKeyword: string
  items: Schema | undefined
  itemsKeyword: string
}

// Before JSON Schema 2020-12, `items` held the fixed items and `additionalItems` the schema of the
// rest.
function readItems(schema: SchemaObject): Items {
  const { items, additionalItems } = schema
  return Array.isArray(items)
    ? {
        prefix: items as Schema[],
        prefixKeyword: 'items',
        items: additionalItems as Schema | undefined,
        itemsKeyword: 'additionalItems',
      }
    : {
        prefix: readSchemas(schema, 'prefixItems'),
        prefixKeyword: 'prefixItems',
        items: items as Schema | undefined,
        itemsKeyword: 'items',
      }
}

export function readArrayShape(schema: SchemaObject, path: string, intent: Intent): ArrayShape {
  const { prefix, prefixKeyword, items, itemsKeyword } = readItems(schema)
  return {
    ...anyArrayShape(intent, path),
    prefix: prefix.map((item, index) => termAt(item, path, prefixKeyword, index)),
    items: items === undefined ? ANYTHING : termAt(items, path, itemsKeyword),
    min: readCount(schema, 'minItems', path) ?? 0,
    max: readCount(schema, 'maxItems', path) ?? UNLIMITED,
    hasMin: schema['minItems'] !== undefined,
    contained: readContained(schema, path),
    isUnique: schema['uniqueItems'] === true,
    evaluated: items === undefined ? prefix.length : UNLIMITED,
  }
}

function readContained(schema: SchemaObject, path: string): Contained[] {
  const contains = schema['contains'] as Schema | undefined
  if (contains === undefined) return []
  const min = readCount(schema, 'minContains', path) ?? 1
  const max = readCount(schema, 'maxContains', path) ?? UNLIMITED
  if (min === 0 && max === UNLIMITED) return []
  const at = below(path, 'contains')
  return [{ term: termAt(contains, path, 'contains'), negated: negatedTerm(contains, at), min, max, from: 0 }]
}

/**
 * Arrays that violate one of the keywords. Two equal items can't be asked for, so `uniqueItems` is
 * left out.
 */
export function violateArray(schema: SchemaObject, path: string): ArrayShape[] {
  const any = anyArrayShape('meant', path)
  const { prefix, prefixKeyword, items, itemsKeyword } = readItems(schema)
  const [min, max] = [readCount(schema, 'minItems', path) ?? 0, readCount(schema, 'maxItems', path)]
  const wrongPrefix = prefix.map((item, index) => ({
    ...any,
    prefix: [...prefix.slice(0, index).map(() => ANYTHING), negatedTerm(item, below(path, prefixKeyword, index))],
    min: index + 1,
    hasMin: true,
  }))
  const wrong = items === undefined ? [] : wrongItem(items, prefix.length, below(path, itemsKeyword))
  return [
    ...(min === 0 ? [] : [{ ...any, max: min - 1 }]),
    ...(max === undefined ? [] : [{ ...any, min: max + 1, hasMin: true }]),
    ...wrongPrefix,
    ...wrong.map((contained) => ({ ...any, contained: [contained] })),
    ...readContained(schema, path).flatMap((contained) => violateContained(any, contained)),
  ]
}

function wrongItem(items: Schema, from: number, path: string): Contained[] {
  if (items === true) return []
  return [{ term: negatedTerm(items, path), negated: termAt(items, path), min: 1, max: UNLIMITED, from }]
}

function violateContained(any: ArrayShape, { term, negated, min, max, from }: Contained): ArrayShape[] {
  return [
    ...(min === 0 ? [] : [{ ...any, contained: [{ term, negated, min: 0, max: min - 1, from }] }]),
    ...(max === UNLIMITED ? [] : [{ ...any, contained: [{ term, negated, min: max + 1, max: UNLIMITED, from }] }]),
  ]
}

export function joinArrays(a: ArrayShape, b: ArrayShape): ArrayShape | undefined {
  const length = Math.max(a.prefix.length, b.prefix.length)
  const prefix = Array.from({ length }, (_, index) => both(itemAt(a, index), itemAt(b, index)))
  const joined = {
    ...a,
    intent: joinIntents(a.intent, b.intent),
    prefix,
    items: both(a.items, b.items),
    min: Math.max(a.min, b.min),
    max: Math.min(a.max, b.max),
    hasMin: a.hasMin || b.hasMin,
    contained: [...a.contained, ...b.contained.filter((one) => !a.contained.includes(one))],
    isUnique: a.isUnique || b.isUnique,
    evaluated: Math.max(a.evaluated, b.evaluated),
  }
  return joined.min > joined.max ? undefined : joined
}

export function itemAt({ prefix, items }: ArrayShape, index: number): Term {
  return prefix[index] ?? items
}

/** Applies `unevaluatedItems`. */
export function limitUnevaluated(shape: ArrayShape, others: Term): ArrayShape {
  if (shape.evaluated === UNLIMITED) return shape
  return {
    ...shape,
    prefix: shape.prefix.map((term, index) => (index < shape.evaluated ? term : both(term, others))),
    items: both(shape.items, others),
    evaluated: UNLIMITED,
  }
}

/** The most items that an array can have: none after one that nothing matches. */
export function longest({ prefix, items, max }: ArrayShape, isImpossible: (term: Term) => boolean): number {
  const closed = prefix.findIndex((term) => isNever(term) || isImpossible(term))
  const end = closed === -1 ? (isNever(items) || isImpossible(items) ? prefix.length : max) : closed
  return Math.min(max, end)
}
