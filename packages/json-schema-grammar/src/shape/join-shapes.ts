// The values that two shapes have in common, as one shape.

import { joinArrays } from './array-shape.ts'
import { joinNumbers } from './number-shape.ts'
import { joinObjects, namedProperties, propertyTerm } from './object-shape.ts'
import type { ObjectShape, Shape } from './shape.ts'
import { joinStrings } from './string-shape.ts'
import type { Term } from './term.ts'
import { isValueInShape } from './value-in-shape.ts'

/** What joining needs to know about the schemas inside shapes. */
export interface Join {
  isImpossible(term: Term): boolean
  isValueIn(value: unknown, term: Term): boolean
  joinAll(a: readonly Shape[], b: readonly Shape[], path: string): readonly Shape[]
  join(a: Shape, b: Shape): Shape | undefined
  /** Why the last two shapes had no value in common. */
  conflict: string | undefined
}

export function joinShapes(a: Shape, b: Shape, join: Join): Shape | undefined {
  if (a.type === 'values' || b.type === 'values') return joinValues(a, b, join)
  if (a.type !== b.type) return undefined
  const joined = joinSame(a, b, join)
  if (joined === undefined) join.conflict = conflictOf(a.type)
  return joined
}

function conflictOf(type: Shape['type']): string {
  if (type === 'number') return 'no number is between "minimum" and "maximum"'
  if (type === 'string') return 'no text matches its patterns, formats and lengths'
  return type === 'array' ? 'no array satisfies the limits on its length' : `no ${type} satisfies all keywords`
}

function joinValues(a: Shape, b: Shape, join: Join): Shape | undefined {
  const [listed, other] = a.type === 'values' ? [a, b] : [b, a]
  if (listed.type !== 'values') return undefined
  const values = listed.values.filter((value) => isValueInShape(value, other, join))
  if (values.length === 0) join.conflict = 'two lists of values have no value in common'
  return values.length === 0 ? undefined : { ...listed, values }
}

function joinSame(a: Shape, b: Shape, join: Join): Shape | undefined {
  if (a.type === 'object' && b.type === 'object') return joinKnown(a, b, join)
  if (a.type === 'array' && b.type === 'array') return joinArrays(a, b)
  if (a.type === 'string' && b.type === 'string') return joinStrings(a, b)
  if (a.type === 'number' && b.type === 'number') return joinNumbers(a, b)
  return b.intent === 'meant' ? b : a
}

// An object that needs a property which nothing matches doesn't exist. Finding that out early keeps alternatives from multiplying.
function joinKnown(a: ObjectShape, b: ObjectShape, join: Join): ObjectShape | undefined {
  const joined = joinObjects(a, b)
  if (joined === undefined || joined === a) return joined
  const shared = namedProperties(b).filter((name) => joined.required.includes(name))
  const isImpossible = [...new Set([...shared, ...b.required, ...a.required])].some((name) =>
    join.isImpossible(propertyTerm(joined, name)),
  )
  return isImpossible ? undefined : joined
}
