// `oneOf` means exactly one. Where two alternatives overlap, each is written only as far as it differs from the other.

import { namedProperties } from '../shape/object-shape.ts'
import type { Shape } from '../shape/shape.ts'
import { anyOfAlternatives, type Alternatives } from './alternatives.ts'
import type { Expansion } from './expansion.ts'

export interface Branch {
  matching: Alternatives
  /** The shapes of values that don't match this branch. */
  inverted(): Alternatives
}

export function exactlyOne(branches: readonly Branch[], path: string, expansion: Expansion): Alternatives {
  return anyOfAlternatives(
    branches.map((branch, index) => {
      const others = branches.filter((other, place) => place !== index && overlaps(branch, other, expansion))
      return others.reduce((left, other) => subtract(left, other.inverted(), path, expansion), branch.matching)
    }),
  )
}

function overlaps(a: Branch, b: Branch, expansion: Expansion): boolean {
  return a.matching.shapes.some((one) =>
    b.matching.shapes.some((other) => expansion.join(one, other).type !== 'nothing'),
  )
}

function subtract({ shapes }: Alternatives, inverted: Alternatives, path: string, expansion: Expansion): Alternatives {
  return anyOfAlternatives(
    shapes.map((shape) => {
      const ways = expansion.joinAll({ shapes: [shape] }, inverted, path)
      return { ...ways, shapes: simplest(shape, ways.shapes) }
    }),
  )
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
