// Keywords that apply to an object if it has a certain property.

import { below } from '../schema/schema-error.ts'
import { isObject, readNames, type Schema, type SchemaObject } from '../schema/schema-object.ts'
import { withProperty, withoutProperty } from '../shape/object-shape.ts'
import { anyShapes } from '../shape/shape.ts'
import { ANYTHING } from '../shape/term.ts'
import type { Alternatives } from './alternatives.ts'
import type { Expansion } from './expansion.ts'

interface Dependent {
  name: string
  path: string
  required: readonly string[]
  schema: Schema | undefined
}

// `dependencies` is the older keyword for both.
function readDependents(schema: SchemaObject, path: string): Dependent[] {
  return ['dependentRequired', 'dependentSchemas', 'dependencies'].flatMap((keyword) => {
    const value = schema[keyword]
    if (!isObject(value)) return []
    return Object.keys(value).map((name) => {
      const at = below(path, keyword, name)
      return Array.isArray(value[name])
        ? { name, path: at, required: readNames(value, name, below(path, keyword)), schema: undefined }
        : { name, path: at, required: [], schema: value[name] as Schema }
    })
  })
}

/**
 * For each of them: objects without the property, objects that do what follows from it, and values
 * that are no objects.
 */
export function matchDependents(
  schema: SchemaObject,
  path: string,
  expansion: Expansion,
): { path: string; alternatives: Alternatives }[] {
  return readDependents(schema, path).map((dependent) => {
    const { name, required } = dependent
    const absent = { ...withoutProperty(path, name), intent: 'open' as const }
    const present = { ...withProperty(path, name, ANYTHING), intent: 'open' as const, required: [name, ...required] }
    const following =
      dependent.schema === undefined
        ? { shapes: [present] }
        : expansion.joinAll({ shapes: [present] }, expansion.inside(dependent.schema, dependent.path), dependent.path)
    const others = anyShapes('incidental', path).filter(({ type }) => type !== 'object')
    return { path: dependent.path, alternatives: { shapes: [absent, ...following.shapes, ...others] } }
  })
}

/** Objects with one of the properties that don't do what follows from it. */
export function violateDependents(schema: SchemaObject, path: string, expansion: Expansion): Alternatives[] {
  return readDependents(schema, path).map((dependent) => {
    const present = { shapes: [withProperty(path, dependent.name, ANYTHING)] }
    const lacking = { shapes: dependent.required.map((name) => withoutProperty(path, name)) }
    const violated = dependent.schema === undefined ? lacking : expansion.inside(dependent.schema, dependent.path, true)
    return expansion.joinAll(present, violated, dependent.path)
  })
}
