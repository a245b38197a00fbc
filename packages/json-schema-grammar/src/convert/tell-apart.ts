// Makes the first few characters tell which of several shapes a text belongs to. In recursive
// alternatives, anything less doubles the number of ways to read a text with each level of nesting.

import type { Expander } from '../expand/expander.ts'
import { beginWith, namedProperties, propertyTerm } from '../shape/object-shape.ts'
import type { ObjectShape, Shape } from '../shape/shape.ts'
import { hasPatterns, isClosed } from './other-properties.ts'
import { listedValues } from './unique-items.ts'

/** The shapes, some of them with another property first; undefined if nothing tells them apart. */
export function tellApart(shapes: readonly Shape[], expander: Expander): readonly Shape[] | undefined {
  if (areApart(shapes, expander)) return shapes
  const objects = shapes.filter((shape) => shape.type === 'object')
  const names = bestFirst(objects, expander)
  const changed = shapes.map((shape) => {
    const name = shape.type === 'object' ? names.find((one) => shape.required.includes(one)) : undefined
    return shape.type === 'object' && name !== undefined ? beginWith(name, shape) : shape
  })
  return areApart(changed, expander) ? changed : undefined
}

function areApart(shapes: readonly Shape[], expander: Expander): boolean {
  return shapes.every((one, index) => shapes.slice(index + 1).every((other) => isApart(one, other, expander)))
}

function isApart(a: Shape, b: Shape, expander: Expander): boolean {
  if (a.type !== b.type) return true
  if (a.type !== 'object' || b.type !== 'object') return false
  const [one, other] = [firstMember(a), firstMember(b)]
  if (one !== undefined && other !== undefined) return one !== other || areValuesDisjoint(a, b, one, expander)
  if (one !== undefined) return !canHave(b, one, expander)
  return other !== undefined && !canHave(a, other, expander)
}

/** The property that an object always begins with. */
function firstMember(shape: ObjectShape): string | undefined {
  const [first] = namedProperties(shape)
  return first !== undefined && shape.required.includes(first) ? first : undefined
}

/** The required properties, those that tell the most pairs of shapes apart first. */
function bestFirst(shapes: readonly ObjectShape[], expander: Expander): string[] {
  const names = [...new Set(shapes.flatMap(({ required }) => required))]
  const scores = new Map(names.map((name) => [name, countPairs(name, shapes, expander)]))
  return names.toSorted((a, b) => (scores.get(b) ?? 0) - (scores.get(a) ?? 0))
}

function countPairs(name: string, shapes: readonly ObjectShape[], expander: Expander): number {
  const pairs = shapes.flatMap((one, index) => shapes.slice(index + 1).map((other) => [one, other] as const))
  return pairs.filter(([one, other]) => {
    const [isInOne, isInOther] = [one.required.includes(name), other.required.includes(name)]
    if (isInOne && isInOther) return areValuesDisjoint(one, other, name, expander)
    return isInOne ? !canHave(other, name, expander) : isInOther && !canHave(one, name, expander)
  }).length
}

function canHave(shape: ObjectShape, name: string, expander: Expander): boolean {
  const isLeftOut = isClosed(shape) && !hasPatterns(shape)
  if (isLeftOut && !namedProperties(shape).includes(name)) return false
  return !expander.isImpossible(propertyTerm(shape, name, expander.work))
}

function areValuesDisjoint(a: ObjectShape, b: ObjectShape, name: string, expander: Expander): boolean {
  const [left, right] = [a, b].map((shape) =>
    listedValues(expander.expand(propertyTerm(shape, name, expander.work)).shapes)?.map((value) =>
      JSON.stringify(value),
    ),
  )
  return left !== undefined && right !== undefined && !left.some((value) => right.includes(value))
}
