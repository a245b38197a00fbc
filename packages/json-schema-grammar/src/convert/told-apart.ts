// Whether the first few characters tell which of two shapes a text belongs to. In recursive alternatives, anything less doubles the number
// of ways to read a text with each level of nesting.

import type { Expander } from '../expand/expander.ts'
import { namedProperties, propertyTerm } from '../shape/object-shape.ts'
import type { ObjectShape, Shape } from '../shape/shape.ts'
import { listedValues } from './unique-items.ts'

export function areToldApart(a: Shape, b: Shape, expander: Expander): boolean {
  if (a.type !== b.type) return true
  if (a.type !== 'object' || b.type !== 'object') return false
  const [one, other] = [firstMember(a), firstMember(b)]
  if (one === undefined || other === undefined) return false
  return one !== other || areValuesDisjoint(a, b, one, expander)
}

/** The property that an object always begins with. */
function firstMember(shape: ObjectShape): string | undefined {
  const [first] = namedProperties(shape)
  return first !== undefined && shape.required.includes(first) ? first : undefined
}

function areValuesDisjoint(a: ObjectShape, b: ObjectShape, name: string, expander: Expander): boolean {
  const [left, right] = [a, b].map((shape) =>
    listedValues(expander.expand(propertyTerm(shape, name, expander.work)).shapes)?.map((value) =>
      JSON.stringify(value),
    ),
  )
  return left !== undefined && right !== undefined && !left.some((value) => right.includes(value))
}
