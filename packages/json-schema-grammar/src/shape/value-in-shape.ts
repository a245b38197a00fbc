// Whether a value has a shape.

import { toComparable } from './comparable.ts'
import type { WorkBudget } from '../language/work-budget.ts'
import { itemAt } from './array-shape.ts'
import { isNumberInShape } from './number-shape.ts'
import { matchesName, propertyTerm } from './object-shape.ts'
import type { ArrayShape, ObjectShape, Shape, SomeProperty, ValueShape } from './shape.ts'
import { isStringInShape } from './string-shape.ts'
import { isObject } from '../schema/schema-object.ts'
import type { Term } from './term.ts'
import { getOrMake } from '../get-or-make.ts'

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

/** The values of a list, so that comparing two lists doesn't take the product of their lengths. */
const listed = new WeakMap<readonly unknown[], ReadonlySet<unknown>>()

function isListed(value: unknown, { values }: ValueShape): boolean {
  return getOrMake(listed, values, () => new Set(values.map(toComparable))).has(toComparable(value))
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
    (!shape.isUnique || new Set(items.map(toComparable)).size === items.length)
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
