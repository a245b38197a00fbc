// The keywords of numbers.

import { SchemaError, below } from '../schema/schema-error.ts'
import type { SchemaObject } from '../schema/schema-object.ts'
import { toDecimal } from './decimal.ts'
import { anyNumberShape, joinIntents, type Bound, type Intent, type NumberShape } from './shape.ts'

export function readNumberShape(schema: SchemaObject, path: string, intent: Intent): NumberShape {
  const multiple = readMultiple(schema, path)
  return {
    ...anyNumberShape(intent),
    low: tighter(...readBounds(schema, 'minimum', 'exclusiveMinimum', path), isHigher),
    high: tighter(...readBounds(schema, 'maximum', 'exclusiveMaximum', path), isLower),
    multiples: multiple === undefined ? [] : [multiple],
  }
}

function readMultiple(schema: SchemaObject, path: string): number | undefined {
  const multiple = schema['multipleOf']
  if (multiple === undefined || (typeof multiple === 'number' && multiple > 0)) return multiple
  throw new SchemaError(below(path, 'multipleOf'), 'must be a number above 0')
}

// In draft 4, the exclusive keywords are true or false and change the meaning of the others.
function readBounds(
  schema: SchemaObject,
  inclusive: string,
  exclusive: string,
  path: string,
): [Bound | undefined, Bound | undefined] {
  const isExclusive = schema[exclusive] === true
  const within = readNumber(schema, inclusive, path)
  const beyond = typeof schema[exclusive] === 'boolean' ? undefined : readNumber(schema, exclusive, path)
  return [
    within === undefined ? undefined : { value: within, isExclusive },
    beyond === undefined ? undefined : { value: beyond, isExclusive: true },
  ]
}

function readNumber(schema: SchemaObject, keyword: string, path: string): number | undefined {
  const value = schema[keyword]
  if (value === undefined || (typeof value === 'number' && Number.isFinite(value))) return value
  throw new SchemaError(path, `"${keyword}" must be a number`)
}

function isHigher(a: Bound, b: Bound): boolean {
  return a.value === b.value ? a.isExclusive : a.value > b.value
}

function isLower(a: Bound, b: Bound): boolean {
  return a.value === b.value ? a.isExclusive : a.value < b.value
}

function tighter(
  a: Bound | undefined,
  b: Bound | undefined,
  isTighter: (a: Bound, b: Bound) => boolean,
): Bound | undefined {
  if (a === undefined || b === undefined) return a ?? b
  return isTighter(a, b) ? a : b
}

/** Numbers that violate one of the keywords. */
export function violateNumber({ low, high, multiples }: NumberShape): NumberShape[] {
  const any = anyNumberShape('meant')
  return [
    ...(low === undefined ? [] : [{ ...any, high: opposite(low) }]),
    ...(high === undefined ? [] : [{ ...any, low: opposite(high) }]),
    ...multiples.map((multiple) => ({ ...any, notMultiples: [multiple] })),
  ]
}

function opposite({ value, isExclusive }: Bound): Bound {
  return { value, isExclusive: !isExclusive }
}

export function joinNumbers(a: NumberShape, b: NumberShape): NumberShape | undefined {
  if (a.isInteger !== undefined && b.isInteger !== undefined && a.isInteger !== b.isInteger) return undefined
  const [low, high] = [tighter(a.low, b.low, isHigher), tighter(a.high, b.high, isLower)]
  if (low !== undefined && high !== undefined && !canBeBetween(low, high)) return undefined
  return {
    type: 'number',
    intent: joinIntents(a.intent, b.intent),
    isInteger: a.isInteger ?? b.isInteger,
    low,
    high,
    multiples: [...new Set([...a.multiples, ...b.multiples])],
    notMultiples: [...new Set([...a.notMultiples, ...b.notMultiples])],
    excluded: [...new Set([...a.excluded, ...b.excluded])],
  }
}

function canBeBetween(low: Bound, high: Bound): boolean {
  return low.value < high.value || (low.value === high.value && !low.isExclusive && !high.isExclusive)
}

export function isNumberInShape(value: number, { isInteger, low, high, ...shape }: NumberShape): boolean {
  return (
    (isInteger === undefined || Number.isInteger(value) === isInteger) &&
    (low === undefined || (low.isExclusive ? value > low.value : value >= low.value)) &&
    (high === undefined || (high.isExclusive ? value < high.value : value <= high.value)) &&
    shape.multiples.every((multiple) => isMultiple(value, multiple)) &&
    !shape.notMultiples.some((multiple) => isMultiple(value, multiple)) &&
    !shape.excluded.includes(value)
  )
}

/** Exact, unlike a division of floating-point numbers. */
function isMultiple(value: number, multiple: number): boolean {
  const [a, b] = [toDecimal(value), toDecimal(multiple)]
  const decimals = Math.max(a.decimals, b.decimals)
  const scaled = ({ scaled, decimals: own }: typeof a) => scaled * 10n ** BigInt(decimals - own)
  return scaled(a) % scaled(b) === 0n
}
