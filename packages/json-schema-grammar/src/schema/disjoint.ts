// "oneOf" means exactly one. A grammar can only offer alternatives, so they have to be such that what is written by one never fits another.

import { isObject, readProperties, readTypes, type Schema, type SchemaObject, type TypeName } from './schema-object.ts'

/** True when no value written by one of them is also valid for the other. Both are without references at their top. */
export function areDisjoint(a: SchemaObject, b: SchemaObject): boolean {
  const [left, right] = [typesOf(a), typesOf(b)]
  const common = left.filter((type) => right.some((other) => overlaps(type, other)))
  if (common.length === 0) return true
  if (areValuesDisjoint(a, b)) return true
  return common.every((type) => type === 'object') && excludes(a, b) && excludes(b, a)
}

/**
 * True when a reader knows after the first few characters which of the two it reads. Where alternatives contain themselves, anything less
 * doubles the readings with each level of nesting.
 */
export function areToldApart(a: SchemaObject, b: SchemaObject): boolean {
  const [left, right] = [typesOf(a), typesOf(b)]
  if (!left.some((type) => right.some((other) => overlaps(type, other)))) return true
  const [one, other] = [firstMember(a), firstMember(b)]
  if (one === undefined || other === undefined) return false
  return one.name !== other.name || areValuesDisjoint(one.schema, other.schema)
}

/** What an object always begins with. */
function firstMember(schema: SchemaObject): { name: string; schema: Schema } | undefined {
  const [first] = readProperties(schema)
  const required = schema['required']
  if (first === undefined || !Array.isArray(required) || !required.includes(first[0])) return undefined
  return { name: first[0], schema: first[1] }
}

function typesOf(schema: SchemaObject): readonly TypeName[] {
  const types = readTypes(schema, '#')
  if (types !== undefined) return types
  if (schema['properties'] !== undefined) return ['object']
  return ['object', 'array', 'string', 'number', 'boolean', 'null']
}

function overlaps(a: TypeName, b: TypeName): boolean {
  return a === b || (a === 'integer' && b === 'number') || (a === 'number' && b === 'integer')
}

function valuesOf(schema: Schema | undefined): readonly string[] | undefined {
  if (!isObject(schema)) return undefined
  if (schema['const'] !== undefined) return [JSON.stringify(schema['const'])]
  return Array.isArray(schema['enum']) ? schema['enum'].map((value) => JSON.stringify(value)) : undefined
}

function areValuesDisjoint(a: Schema | undefined, b: Schema | undefined): boolean {
  const [left, right] = [valuesOf(a), valuesOf(b)]
  return left !== undefined && right !== undefined && !left.some((value) => right.includes(value))
}

/** `b` requires a property that `a` never writes, or writes with other values only. */
function excludes(a: SchemaObject, b: SchemaObject): boolean {
  const required = b['required']
  const properties = readProperties(a)
  const isClosed =
    a['additionalProperties'] === undefined ? a['properties'] !== undefined : a['additionalProperties'] === false
  const demanded = Array.isArray(a['required']) ? a['required'] : []
  if (!isClosed || !Array.isArray(required)) return false
  return required.some((name: string) => {
    if (!properties.has(name)) return !demanded.includes(name)
    return areValuesDisjoint(properties.get(name), readProperties(b).get(name))
  })
}
