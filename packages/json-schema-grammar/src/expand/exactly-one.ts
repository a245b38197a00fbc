// `oneOf` means exactly one. Where two alternatives overlap, each is written only as far as it
// differs from the other.

import { namedProperties } from '../shape/object-shape.ts'
import type { Shape } from '../shape/shape.ts'
import { anyOfAlternatives, type Alternatives } from './alternatives.ts'
import type { Expansion } from './expansion.ts'
import { getOrMake } from '../get-or-make.ts'

export interface Branch {
  matching: Alternatives
  /** The shapes of values that don't match this branch. */
  inverted(): Alternatives
}

/** `around` are the shapes that all values have anyway. */
export function exactlyOne(
  branches: readonly Branch[],
  path: string,
  expansion: Expansion,
  around: Alternatives,
): Alternatives {
  const overlaps = overlapWithin(around, path, expansion)
  return anyOfAlternatives(
    branches.map((branch, index) => {
      const others = branches.filter((other, place) => place !== index && overlaps(branch, other))
      return others.reduce((left, other) => subtract(left, other, path, expansion), branch.matching)
    }),
  )
}

// The property that tells branches apart is often required only around them.
function overlapWithin(around: Alternatives, path: string, expansion: Expansion): (a: Branch, b: Branch) => boolean {
  const isTelling = around.shapes.some((shape) => shape.type === 'object' && shape.required.length > 0)
  const joined = new Map<Branch, Alternatives>()
  const within = (branch: Branch): Alternatives =>
    getOrMake(joined, branch, () => expansion.joinAll(around, branch.matching, path))
  return (a, b) =>
    haveCommon(a.matching, b.matching, expansion) && (!isTelling || haveCommon(within(a), b.matching, expansion))
}

function haveCommon(a: Alternatives, b: Alternatives, expansion: Expansion): boolean {
  return a.shapes.some((one) => b.shapes.some((other) => expansion.join(one, other).type !== 'nothing'))
}

// A shape that has nothing in common with the other branch stays as it is: not everything can be
// inverted.
function subtract({ shapes }: Alternatives, other: Branch, path: string, expansion: Expansion): Alternatives {
  return anyOfAlternatives(
    shapes.map((shape) => {
      const one = { shapes: [shape] }
      if (!haveCommon(one, other.matching, expansion)) return one
      const ways = expansion.joinAll(one, other.inverted(), path)
      return { ...ways, shapes: simplest(shape, ways.shapes) }
    }),
  )
}

/**
 * Of several ways to differ, one that only leaves out properties which the alternative doesn't name
 * costs nothing. Ways that add such properties are valid, but not what anybody means.
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
