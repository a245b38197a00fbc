// The shapes of the keywords that are about one type each, and of `enum` and `const`.

import { listTexts } from '../language/list-texts.ts'
import { SchemaError, below } from '../schema/schema-error.ts'
import { impliedTypes, readTypes, type SchemaObject, type TypeName } from '../schema/schema-object.ts'
import { readArrayShape, violateArray } from '../shape/array-shape.ts'
import { readNumberShape, violateNumber } from '../shape/number-shape.ts'
import { readObjectShape, violateObject } from '../shape/object-shape.ts'
import {
  anyArrayShape,
  anyNumberShape,
  anyObjectShape,
  anyStringShape,
  type Intent,
  type Shape,
} from '../shape/shape.ts'
import { readPattern } from '../shape/pattern.ts'
import { readStringShape, violateString } from '../shape/string-shape.ts'

/** Undefined if the schema lists no values. */
export function readValues(schema: SchemaObject, path: string): readonly unknown[] | undefined {
  const listed = schema['enum']
  if (listed !== undefined && !Array.isArray(listed)) throw new SchemaError(below(path, 'enum'), 'must be a list')
  if (schema['const'] === undefined) return listed
  const isListed =
    listed === undefined || listed.some((value) => JSON.stringify(value) === JSON.stringify(schema['const']))
  return isListed ? [schema['const']] : []
}

/** The texts of a pattern that is only a list of them. */
export function patternTexts({ type, pattern }: SchemaObject, path: string): readonly string[] | undefined {
  if (type !== 'string' || pattern === undefined) return undefined
  const { named, isExact } = readPattern(pattern, below(path, 'pattern'))
  return isExact ? listTexts(named.language) : undefined
}

export function matchOwn(schema: SchemaObject, path: string): readonly Shape[] {
  const types = readTypes(schema, path)
  const implied = types === undefined ? impliedTypes(schema) : []
  const intentOf = (type: TypeName): Intent => {
    if (types !== undefined || implied.includes(type)) return 'meant'
    return implied.length > 0 ? 'incidental' : 'open'
  }
  const allowed = (type: TypeName) => types === undefined || types.includes(type)
  const shapes: Shape[] = []
  if (allowed('object')) shapes.push(readObjectShape(schema, path, intentOf('object')))
  if (allowed('array')) shapes.push(readArrayShape(schema, path, intentOf('array')))
  if (allowed('string')) shapes.push(readStringShape(schema, path, intentOf('string')))
  if (allowed('number')) shapes.push(readNumberShape(schema, path, intentOf('number')))
  else if (allowed('integer')) shapes.push({ ...readNumberShape(schema, path, 'meant'), isInteger: true })
  if (allowed('boolean'))
    shapes.push(...(['true', 'false'] as const).map((type) => ({ type, intent: intentOf('boolean') })))
  if (allowed('null')) shapes.push({ type: 'null', intent: intentOf('null') })
  return shapes
}

export function violateOwn(schema: SchemaObject, path: string): readonly Shape[] {
  const types = readTypes(schema, path)
  const wrongType = types === undefined ? [] : otherTypes(types, path)
  return [
    ...wrongType,
    ...violateObject(schema, path),
    ...violateArray(schema, path),
    ...violateString(schema, path),
    ...violateNumber(readNumberShape(schema, path, 'meant')),
  ]
}

function otherTypes(types: readonly TypeName[], path: string): Shape[] {
  const isOther = (type: TypeName) => !types.includes(type)
  const shapes: Shape[] = []
  if (isOther('object')) shapes.push(anyObjectShape('open', path))
  if (isOther('array')) shapes.push(anyArrayShape('open', path))
  if (isOther('string')) shapes.push(anyStringShape('open', path))
  if (isOther('number')) shapes.push({ ...anyNumberShape('open'), isInteger: isOther('integer') ? undefined : false })
  if (isOther('boolean')) shapes.push({ type: 'true', intent: 'open' }, { type: 'false', intent: 'open' })
  if (isOther('null')) shapes.push({ type: 'null', intent: 'open' })
  return shapes
}
