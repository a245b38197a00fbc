// `oneOf` means exactly one. Where two alternatives overlap, each is written only as far as it differs from the other.

import type { Join } from './join-shapes.ts'
import { namedProperties } from './object-shape.ts'
import type { Shape } from './shape.ts'

export interface Branch {
  shapes: readonly Shape[]
  /** The shapes of values that don't match this alternative. */
  inverted(): readonly Shape[]
}

export function exactlyOne(branches: readonly Branch[], path: string, join: Join): readonly Shape[] {
  return branches.flatMap((branch, index) => {
    const others = branches.filter((other, place) => place !== index && overlaps(branch, other, join))
    return others.reduce((shapes, other) => subtract(shapes, other.inverted(), path, join), branch.shapes)
  })
}

function overlaps(a: Branch, b: Branch, join: Join): boolean {
  return a.shapes.some((one) => b.shapes.some((other) => join.join(one, other) !== undefined))
}

function subtract(shapes: readonly Shape[], inverted: readonly Shape[], path: string, join: Join): readonly Shape[] {
  return shapes.flatMap((shape) => simplest(shape, join.joinAll([shape], inverted, path)))
}

/**
 * Of several ways to differ, one that only leaves out properties which the alternative doesn't name costs nothing. Ways that add such
 * properties are valid, but not what anybody means.
 */
function simplest(shape: Shape, ways: readonly Shape[]): readonly Shape[] {
  if (shape.type !== 'object') return ways
  const named = new Set(namedProperties(shape))
  const free = ways.find(
    (way) =>
      way.type === 'object' &&
      way.required.length === shape.required.length &&
      way.min === shape.min &&
      way.max === shape.max &&
      way.some.length === shape.some.length &&
      way.layers.slice(shape.layers.length).every((layer) => [...layer.names.keys()].every((name) => !named.has(name))),
  )
  if (free !== undefined) return [free]
  const plain = ways.filter((way) => way.type === 'object' && way.required.every((name) => named.has(name)))
  return plain.length > 0 ? plain : ways
}
