// The values that two shapes have in common, as one shape.

import { joinArrays } from '../shape/array-shape.ts'
import { joinNumbers } from '../shape/number-shape.ts'
import { joinObjects, namedProperties, propertyTerm } from '../shape/object-shape.ts'
import type { ObjectShape, Shape } from '../shape/shape.ts'
import { joinStrings } from '../shape/string-shape.ts'
import type { Term } from '../shape/term.ts'
import { isValueInShape, type Terms } from '../shape/value-in-shape.ts'

export interface Join extends Terms {
  isImpossible(term: Term): boolean
}

/** No value has both shapes. `conflict` says why, if that is not plain from their types. */
export interface NothingInCommon {
  readonly type: 'nothing'
  readonly conflict?: string
}

export type Joined = Shape | NothingInCommon

const OTHER_TYPE: NothingInCommon = { type: 'nothing' }

export function joinShapes(a: Shape, b: Shape, join: Join): Joined {
  if (a.type === 'values') return joinValues(a, b, join)
  if (b.type === 'values') return joinValues(b, a, join)
  if (a.type !== b.type) return OTHER_TYPE
  return joinSame(a, b, join) ?? { type: 'nothing', conflict: conflictOf(a.type) }
}

function conflictOf(type: Shape['type']): string {
  if (type === 'number') return 'no number is between "minimum" and "maximum"'
  if (type === 'string') return 'no text matches its patterns, formats and lengths'
  return type === 'array' ? 'no array satisfies the limits on its length' : `no ${type} satisfies all keywords`
}

function joinValues(listed: Extract<Shape, { type: 'values' }>, other: Shape, join: Join): Joined {
  const values = listed.values.filter((value) => isValueInShape(value, other, join))
  return values.length > 0
    ? { ...listed, values }
    : { type: 'nothing', conflict: 'two lists of values have no value in common' }
}

function joinSame(a: Shape, b: Shape, join: Join): Shape | undefined {
  if (a.type === 'object' && b.type === 'object') return joinKnown(a, b, join)
  if (a.type === 'array' && b.type === 'array') return joinArrays(a, b)
  if (a.type === 'string' && b.type === 'string') return joinStrings(a, b, join.work)
  if (a.type === 'number' && b.type === 'number') return joinNumbers(a, b)
  return b.intent === 'meant' ? b : a
}

// An object that needs a property which nothing matches doesn't exist. Finding that out early keeps
// alternatives from multiplying.
function joinKnown(a: ObjectShape, b: ObjectShape, join: Join): ObjectShape | undefined {
  const joined = joinObjects(a, b)
  if (joined === undefined || joined.required.length === 0) return joined
  const shared = namedProperties(b).filter((name) => joined.required.includes(name))
  const isImpossible = [...new Set([...shared, ...b.required, ...a.required])].some((name) =>
    join.isImpossible(propertyTerm(joined, name, join.work)),
  )
  return isImpossible ? undefined : joined
}
