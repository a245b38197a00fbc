// Merges two schemas that both have to match into one. If that is impossible, it throws; it never drops a keyword.

import { NothingFits, SchemaError, below } from './schema-error.ts'
import {
  hasType,
  isObject,
  readNames,
  readProperties,
  readSchemas,
  readTypes,
  type Schema,
  type SchemaObject,
  type TypeName,
} from './schema-object.ts'

const MAX_COMBINATIONS = 64

const LARGER = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'] as const
const SMALLER = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'] as const
/** Two different values of these can't be enforced together. */
const SAME = ['pattern', 'format', 'multipleOf', 'oneOf', 'const', 'additionalItems'] as const

export function mergeSchemas(a: SchemaObject, b: SchemaObject, path: string): SchemaObject {
  for (const keyword of SAME) requireSame(a, b, keyword, path)
  return {
    ...a,
    ...b,
    ...mergeTypes(a, b, path),
    ...mergeEnums(a, b, path),
    ...mergeBounds(a, b),
    ...mergeProperties(a, b, path),
    ...mergeItems(a, b, path),
    ...mergeAlternatives(a, b, path),
    ...present('allOf', [...readSchemas(a, 'allOf'), ...readSchemas(b, 'allOf')]),
    ...(a['uniqueItems'] === true || b['uniqueItems'] === true ? { uniqueItems: true } : {}),
  }
}

function present(keyword: string, list: readonly unknown[]): SchemaObject {
  return list.length === 0 ? {} : { [keyword]: list }
}

function requireSame(a: SchemaObject, b: SchemaObject, keyword: string, path: string): void {
  if (a[keyword] === undefined || b[keyword] === undefined || isSame(a[keyword], b[keyword])) return
  if (keyword === 'const') throw new NothingFits(path, 'two different constants are required')
  throw new SchemaError(path, `two different "${keyword}" can't be enforced together`)
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

function mergeTypes(a: SchemaObject, b: SchemaObject, path: string): SchemaObject {
  const [left, right] = [readTypes(a, path), readTypes(b, path)]
  if (left === undefined || right === undefined) return {}
  const accepts = (types: readonly TypeName[], type: TypeName) =>
    types.includes(type) || (type === 'integer' && types.includes('number'))
  const both = [...new Set([...left, ...right])].filter((type) => accepts(left, type) && accepts(right, type))
  if (both.length === 0) throw new NothingFits(path, `no value is both ${left.join(' or ')} and ${right.join(' or ')}`)
  return { type: both }
}

function mergeEnums(a: SchemaObject, b: SchemaObject, path: string): SchemaObject {
  if (a['enum'] === undefined || b['enum'] === undefined) return {}
  const values = (a['enum'] as unknown[]).filter((value) =>
    (b['enum'] as unknown[]).some((other) => isSame(value, other)),
  )
  if (values.length === 0) throw new NothingFits(path, 'two enums have no value in common')
  return { enum: values }
}

function mergeBounds(a: SchemaObject, b: SchemaObject): SchemaObject {
  const pick = (keywords: readonly string[], choose: (...values: number[]) => number) =>
    keywords.flatMap((keyword) => {
      const [left, right] = [a[keyword], b[keyword]]
      return typeof left === 'number' && typeof right === 'number' ? [[keyword, choose(left, right)] as const] : []
    })
  return Object.fromEntries([...pick(LARGER, Math.max), ...pick(SMALLER, Math.min)])
}

function mergeProperties(a: SchemaObject, b: SchemaObject, path: string): SchemaObject {
  const [left, right] = [readProperties(a), readProperties(b)]
  const names = new Set([...left.keys(), ...right.keys()])
  // A property that only one side names is an "additional" one for the other side.
  const properties = [...names].map((name) => {
    const own = left.get(name) ?? (a['additionalProperties'] as Schema | undefined) ?? true
    const other = right.get(name) ?? (b['additionalProperties'] as Schema | undefined) ?? true
    return [name, both(own, other)] as const
  })
  const required = [...new Set([...readNames(a, 'required', path), ...readNames(b, 'required', path)])]
  const [ownRest, otherRest] = [
    a['additionalProperties'] as Schema | undefined,
    b['additionalProperties'] as Schema | undefined,
  ]
  return {
    ...(names.size === 0 ? {} : { properties: Object.fromEntries(properties) }),
    ...(required.length === 0 ? {} : { required }),
    ...(ownRest === undefined && otherRest === undefined
      ? {}
      : { additionalProperties: both(ownRest ?? true, otherRest ?? true) }),
    ...(a['propertyNames'] === undefined || b['propertyNames'] === undefined
      ? {}
      : { propertyNames: both(a['propertyNames'] as Schema, b['propertyNames'] as Schema) }),
  }
}

function mergeItems(a: SchemaObject, b: SchemaObject, path: string): SchemaObject {
  const [left, right] = [readSchemas(a, 'prefixItems'), readSchemas(b, 'prefixItems')]
  if (Array.isArray(a['items']) || Array.isArray(b['items']))
    throw new SchemaError(below(path, 'items'), "a list of items can't be combined with another schema")
  const [ownRest, otherRest] = [(a['items'] ?? true) as Schema, (b['items'] ?? true) as Schema]
  const fixed = Array.from({ length: Math.max(left.length, right.length) }, (_, index) =>
    both(left[index] ?? ownRest, right[index] ?? otherRest),
  )
  const hasItems = a['items'] !== undefined || b['items'] !== undefined
  return { ...present('prefixItems', fixed), ...(hasItems ? { items: both(ownRest, otherRest) } : {}) }
}

function mergeAlternatives(a: SchemaObject, b: SchemaObject, path: string): SchemaObject {
  const [left, right] = [readSchemas(a, 'anyOf'), readSchemas(b, 'anyOf')]
  if (left.length === 0 || right.length === 0) return {}
  if (left.length * right.length > MAX_COMBINATIONS)
    throw new SchemaError(below(path, 'anyOf'), 'too many combinations of alternatives')
  return { anyOf: left.flatMap((one) => right.map((other) => both(one, other))) }
}

function both(a: Schema, b: Schema): Schema {
  if (a === false || b === false) return false
  if (a === true || isSame(a, b)) return b
  return b === true ? a : { allOf: [a, b] }
}

/** Whether an enum value matches the other keywords of the schema. */
export function fits(value: unknown, schema: SchemaObject, path: string): boolean {
  if (!hasType(readTypes(schema, path), value)) return false
  if (typeof value === 'number') return fitsBounds(value, schema)
  if (typeof value === 'string') return fitsLength(value, schema, path)
  const structural = isObject(value) ? ['properties', 'additionalProperties', 'required'] : ['items', 'prefixItems']
  const isFree = typeof value !== 'object' || value === null || structural.every((name) => schema[name] === undefined)
  if (!isFree)
    throw new SchemaError(path, '"enum" and "const" with objects or arrays can\'t be combined with other keywords')
  return true
}

function fitsBounds(value: number, schema: SchemaObject): boolean {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema
  const within = (bound: unknown, test: (bound: number) => boolean) => typeof bound !== 'number' || test(bound)
  return (
    within(minimum, (bound) => value >= bound) &&
    within(maximum, (bound) => value <= bound) &&
    within(exclusiveMinimum, (bound) => value > bound) &&
    within(exclusiveMaximum, (bound) => value < bound)
  )
}

function fitsLength(value: string, schema: SchemaObject, path: string): boolean {
  const { minLength, maxLength, pattern, format } = schema
  if (pattern !== undefined || format !== undefined)
    throw new SchemaError(path, '"enum" and "const" can\'t be combined with "pattern" or "format"')
  const length = Array.from(value).length
  return (
    !(typeof minLength === 'number' && length < minLength) && !(typeof maxLength === 'number' && length > maxLength)
  )
}
