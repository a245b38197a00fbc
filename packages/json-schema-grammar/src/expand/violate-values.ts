// Values that are not in a list.

import { isObject } from '../schema/schema-object.ts'
import { joinArrays } from '../shape/array-shape.ts'
import { joinObjects, withProperty, withoutProperty } from '../shape/object-shape.ts'
import {
  anyArrayShape,
  anyNumberShape,
  anyObjectShape,
  anyStringShape,
  type ArrayShape,
  type ObjectShape,
  type Shape,
} from '../shape/shape.ts'
import { ANYTHING, negatedTerm } from '../shape/term.ts'

export function violateValues(values: readonly unknown[], path: string): Shape[] {
  const [objects, arrays] = [values.filter(isObject), values.filter((value) => Array.isArray(value))]
  const texts = values.filter((value) => typeof value === 'string')
  const numbers = values.filter((value) => typeof value === 'number')
  const others = ([true, false, null] as const)
    .filter((value) => !values.includes(value))
    .map((value) => ({ type: String(value) as 'true' | 'false' | 'null', intent: 'open' as const }))
  return [
    ...objects.reduce<ObjectShape[]>(
      (shapes, object) => combine(shapes, otherObjects(object, path), joinObjects),
      [anyObjectShape('open', path)],
    ),
    ...arrays.reduce<ArrayShape[]>(
      (shapes, array) => combine(shapes, otherArrays(array, path), joinArrays),
      [anyArrayShape('open', path)],
    ),
    { ...anyStringShape('open', path), excluded: texts },
    { ...anyNumberShape('open'), excluded: numbers },
    ...others,
  ]
}

/**
 * The ways to differ from two values multiply, and the first ones are enough: a list of shapes may
 * leave values out.
 */
const MAX_WAYS = 32

function combine<One>(
  shapes: readonly One[],
  others: readonly One[],
  join: (a: One, b: One) => One | undefined,
): One[] {
  return others.flatMap((other) => shapes.flatMap((shape) => join(shape, other) ?? [])).slice(0, MAX_WAYS)
}

/** Arrays with another length, or another item. */
function otherArrays(array: readonly unknown[], path: string): ArrayShape[] {
  const any = anyArrayShape('open', path)
  return [
    ...(array.length === 0 ? [] : [{ ...any, max: array.length - 1 }]),
    { ...any, min: array.length + 1, hasMin: true },
    ...array.map((item, index) => ({
      ...any,
      prefix: [...array.slice(0, index).map(() => ANYTHING), negatedTerm({ const: item }, path)],
      min: index + 1,
      hasMin: true,
    })),
  ]
}

/** Objects with another number of properties, without one of them, or with another value. */
function otherObjects(object: Readonly<Record<string, unknown>>, path: string): ObjectShape[] {
  const names = Object.keys(object)
  return [
    { ...anyObjectShape('open', path), min: names.length + 1 },
    ...names.map((name): ObjectShape => ({ ...withoutProperty(path, name), intent: 'open' })),
    ...names.map((name): ObjectShape => ({
      ...withProperty(path, name, negatedTerm({ const: object[name] }, path)),
      intent: 'open',
    })),
  ]
}
