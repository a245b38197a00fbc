// For schemas that don't have to be enforced to the letter: a keyword that can't be enforced is
// left out, and the rest still holds.

import { SchemaError } from './schema-error.ts'
import { isObject, type Schema, type SchemaObject } from './schema-object.ts'

const MAX_ATTEMPTS = 16

/**
 * Leaving something out inside of these could make the schema stricter, so they are left out as a
 * whole.
 */
const WHOLE = new Set([
  'not',
  'if',
  'then',
  'else',
  'oneOf',
  'contains',
  'propertyNames',
  'dependentSchemas',
  'dependentRequired',
  'dependencies',
  'patternProperties',
])
/** Their values are schemas by name or by number, not keywords. */
const CONTAINERS = new Set(['properties', '$defs', 'definitions', 'anyOf', 'allOf', 'prefixItems'])

/**
 * The result of `attempt` for the schema, or else for one that leaves out as little of it as
 * possible. `attempt` throws SchemaError.
 */
export function enforceFurthest<Result>(schema: SchemaObject, attempt: (schema: SchemaObject) => Result): Result {
  let current = schema
  for (let count = 0; count < MAX_ATTEMPTS; count++) {
    const result = tryOnce(current, attempt)
    if (!(result instanceof SchemaError)) return result
    const steps = stepsOf(result)
    const next = withoutStep(current, steps)
    if (!isObject(next) || next === current) break
    current = next
  }
  const outline = tryOnce(outlineOf(schema), attempt)
  return outline instanceof SchemaError ? attempt({ type: 'object' }) : outline
}

function tryOnce<Result>(schema: SchemaObject, attempt: (schema: SchemaObject) => Result): Result | SchemaError {
  try {
    return attempt(schema)
  } catch (error) {
    if (error instanceof SchemaError) return error
    throw error
  }
}

function stepsOf({ path, keyword }: SchemaError): readonly string[] {
  const steps = path
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
  return keyword === undefined ? steps : [...steps, keyword]
}

/**
 * The schema without the keyword at the end of `steps`, or with only the type of the schema there.
 */
function withoutStep(schema: Schema, steps: readonly string[]): Schema {
  const [step, ...rest] = steps
  if (!isObject(schema)) return true
  if (step === undefined) return onlyType(schema)
  if (!Object.hasOwn(schema, step)) return onlyType(schema)
  if (WHOLE.has(step) || (rest.length === 0 && !CONTAINERS.has(step))) return omit(schema, step)
  if (!CONTAINERS.has(step)) return { ...schema, [step]: withoutStep(schema[step] as Schema, rest) }
  return withoutEntry(schema, step, rest)
}

function withoutEntry(schema: SchemaObject, keyword: string, [name, ...rest]: readonly string[]): SchemaObject {
  const inside = schema[keyword]
  if (name === undefined || typeof inside !== 'object' || inside === null || !Object.hasOwn(inside, name))
    return omit(schema, keyword)
  const changed = withoutStep(Reflect.get(inside, name) as Schema, rest)
  return {
    ...schema,
    [keyword]: Array.isArray(inside) ? inside.with(Number(name), changed) : { ...inside, [name]: changed },
  }
}

function omit(schema: SchemaObject, keyword: string): SchemaObject {
  const { [keyword]: _, ...rest } = schema
  return rest
}

function onlyType({ type }: SchemaObject): SchemaObject {
  return type === undefined ? {} : { type }
}

/** The properties of an object with their types, and nothing else. */
function outlineOf(schema: SchemaObject): SchemaObject {
  const { properties, required } = schema
  if (!isObject(properties)) return { type: 'object' }
  const outlines = Object.entries(properties).map(([name, property]) => [
    name,
    isObject(property) ? onlyType(property) : {},
  ])
  return { type: 'object', properties: Object.fromEntries(outlines), ...(Array.isArray(required) && { required }) }
}
