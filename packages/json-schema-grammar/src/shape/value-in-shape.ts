// Whether a value has a shape.

import type { WorkBudget } from '../language/work-budget.ts'
import { itemAt } from './array-shape.ts'
import { isNumberInShape } from './number-shape.ts'
import { matchesName, propertyTerm } from './object-shape.ts'
import type { ArrayShape, ObjectShape, Shape, SomeProperty, ValueShape } from './shape.ts'
import { isStringInShape } from './string-shape.ts'
import { isObject } from '../schema/schema-object.ts'
import type { Term } from './term.ts'

/** Decides about the schemas inside shapes. */
export interface Terms {
  readonly work: WorkBudget
  isValueIn(value: unknown, term: Term): boolean
}

export function isValueInShape(value: unknown, shape: Shape, terms: Terms): boolean {
  switch (shape.type) {
    case 'values':
      return isListed(value, shape)
    case 'null':
      return value === null
    case 'true':
      return value === true
    case 'false':
      return value === false
    case 'number':
      return typeof value === 'number' && isNumberInShape(value, shape)
    case 'string':
      return typeof value === 'string' && isStringInShape(value, shape, terms.work)
    case 'array':
      return Array.isArray(value) && isArrayInShape(value, shape, terms)
    case 'object':
      return isObject(value) && isObjectInShape(value, shape, terms)
    default:
      return shape satisfies never
  }
}

/** The texts and numbers of long lists, so that comparing two lists doesn't take the product of their lengths. */
const plainValues = new WeakMap<readonly unknown[], ReadonlySet<unknown>>()

function isListed(value: unknown, { values }: ValueShape): boolean {
  if (typeof value === 'object' && value !== null) return values.some((listed) => isEqual(listed, value))
  let plain = plainValues.get(values)
  if (plain === undefined) plainValues.set(values, (plain = new Set(values)))
  return plain.has(value)
}

function isArrayInShape(items: readonly unknown[], shape: ArrayShape, terms: Terms): boolean {
  const isContained = ({ term, min, max, from }: ArrayShape['contained'][number]) => {
    const count = items.slice(from).filter((item) => terms.isValueIn(item, term)).length
    return count >= min && count <= max
  }
  return (
    items.length >= shape.min &&
    items.length <= shape.max &&
    items.every((item, index) => terms.isValueIn(item, itemAt(shape, index))) &&
    shape.contained.every(isContained) &&
    (!shape.isUnique || items.every((item, index) => !items.slice(index + 1).some((other) => isEqual(item, other))))
  )
}

function isObjectInShape(value: Readonly<Record<string, unknown>>, shape: ObjectShape, terms: Terms): boolean {
  const names = Object.keys(value)
  return (
    names.length >= shape.min &&
    names.length <= shape.max &&
    shape.required.every((name) => Object.hasOwn(value, name)) &&
    names.every(
      (name) =>
        terms.isValueIn(name, shape.names) && terms.isValueIn(value[name], propertyTerm(shape, name, terms.work)),
    ) &&
    shape.some.every((some) => names.some((name) => isSome(name, value[name], some, shape.path, terms)))
  )
}

function isSome(name: string, value: unknown, some: SomeProperty, path: string, terms: Terms): boolean {
  return isSomeName(name, some, path, terms) && terms.isValueIn(value, some.term)
}

/** Whether a property with this name can be the one that has to be there. */
export function isSomeName(
  name: string,
  { layer, pattern, name: names }: SomeProperty,
  path: string,
  terms: Terms,
): boolean {
  if (names !== undefined) return terms.isValueIn(name, names)
  if (pattern !== undefined) return matchesName(pattern, name, path, terms.work)
  return !layer.names.has(name) && !layer.patterns.some((pattern) => matchesName(pattern, name, path, terms.work))
}

function isEqual(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, index) => isEqual(item, b[index]))
  if (!isObject(a) || !isObject(b)) return a === b
  const names = Object.keys(a)
  return (
    names.length === Object.keys(b).length && names.every((name) => Object.hasOwn(b, name) && isEqual(a[name], b[name]))
  )
}
