// "oneOf" means exactly one. A grammar can only offer alternatives, so no text written by one of them may match another.

import { isObject, readProperties, readTypes, type Schema, type SchemaObject, type TypeName } from './schema-object.ts'

/** True if no value written for one is also valid for the other. Neither has references at its top level. */
export function areDisjoint(a: SchemaObject, b: SchemaObject): boolean {
  const [left, right] = [typesOf(a), typesOf(b)]
  const common = left.filter((type) => right.some((other) => overlaps(type, other)))
  if (common.length === 0) return true
  if (areValuesDisjoint(a, b)) return true
  return common.every((type) => type === 'object') && excludes(a, b) && excludes(b, a)
}

/**
 * True if the first few characters tell which of the two a text belongs to. In recursive alternatives, anything less doubles the number of
 * ways to read a text with each level of nesting.
 */
export function areToldApart(a: SchemaObject, b: SchemaObject): boolean {
  const [left, right] = [typesOf(a), typesOf(b)]
  if (!left.some((type) => right.some((other) => overlaps(type, other)))) return true
  const [one, other] = [firstMember(a), firstMember(b)]
  if (one === undefined || other === undefined) return false
  return one.name !== other.name || areValuesDisjoint(one.schema, other.schema)
}

/** The property that an object always begins with. */
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

/** True if `b` requires a property that `a` never writes, or only writes with other values. */
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
