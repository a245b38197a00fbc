// Makes the list of a schema's shapes shorter.

import type { Shape } from '../shape/shape.ts'
import { isAnyString } from './strings.ts'

/** Types that no keyword is about are only allowed if there is nothing else. */
export function withoutIncidental(shapes: readonly Shape[]): readonly Shape[] {
  const meant = shapes.filter(({ intent }) => intent !== 'incidental')
  return meant.length > 0 ? meant : shapes
}

const TYPES = 7

/** Whether every value of every type is allowed. */
export function isAnything(shapes: readonly Shape[]): boolean {
  return shapes.length >= TYPES && new Set(shapes.filter(isUnlimited).map(({ type }) => type)).size === TYPES
}

function isUnlimited(shape: Shape): boolean {
  switch (shape.type) {
    case 'values':
      return false
    case 'null':
    case 'true':
    case 'false':
      return true
    case 'number':
      return (
        [shape.low, shape.high, shape.isInteger].every((limit) => limit === undefined) &&
        [...shape.multiples, ...shape.notMultiples, ...shape.excluded].length === 0
      )
    case 'string':
      return isAnyString(shape)
    case 'array':
      return (
        shape.prefix.length + shape.items.length + shape.contained.length + shape.min === 0 &&
        !shape.isUnique &&
        shape.max === Number.POSITIVE_INFINITY
      )
    case 'object':
      return (
        shape.layers.length + shape.required.length + shape.names.length + shape.some.length + shape.min === 0 &&
        shape.max === Number.POSITIVE_INFINITY
      )
    default:
      return shape satisfies never
  }
}
