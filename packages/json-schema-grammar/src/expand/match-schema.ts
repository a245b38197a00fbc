// The shapes of values that match a schema: each keyword that combines schemas limits those of the
// keywords before it.

import { below } from '../schema/schema-error.ts'
import { readSchemas, type Schema, type SchemaObject } from '../schema/schema-object.ts'
import { limitUnevaluated } from '../shape/array-shape.ts'
import { hideLayers, limitUnnamed } from '../shape/object-shape.ts'
import { anyShapes, type Shape } from '../shape/shape.ts'
import { termAt } from '../shape/term.ts'
import { isValueInShape } from '../shape/value-in-shape.ts'
import { anyOfAlternatives, type Alternatives } from './alternatives.ts'
import { matchDependents } from './dependents.ts'
import { exactlyOne, type Branch } from './exactly-one.ts'
import type { Expansion } from './expansion.ts'
import { matchOwn, patternTexts, readValues } from './own-keywords.ts'

export function matchSchema(schema: SchemaObject, path: string, expansion: Expansion): Alternatives {
  const combined = combine(schema, path, expansion)
  // After the other keywords, because each of the values is checked against all of them.
  const values = readValues(schema, path) ?? patternTexts(schema, path)
  const picked = values === undefined ? combined : pick(values, combined, expansion)
  return limitRest(schema, path, picked)
}

function combine(schema: SchemaObject, path: string, expansion: Expansion): Alternatives {
  let matching: Alternatives = { shapes: matchOwn(schema, path) }
  const limit = (more: Alternatives, at: string) => {
    matching = expansion.joinAll(matching, more, at)
  }
  const target = expansion.resolve(schema, path)
  if (target !== undefined) limit(expansion.inside(target.schema, target.path), path)
  readSchemas(schema, 'allOf').forEach((part, index) => {
    const at = below(path, 'allOf', index)
    limit(expansion.inside(part, at), at)
  })
  for (const [keyword, match] of COMBINING)
    if (schema[keyword] !== undefined) limit(match(schema, path, expansion, matching), below(path, keyword))
  for (const dependent of matchDependents(schema, path, expansion)) limit(dependent.alternatives, dependent.path)
  return matching
}

const COMBINING = Object.entries({ anyOf: matchAny, oneOf: matchOne, not: matchNone, if: matchCondition })

function matchAny(schema: SchemaObject, path: string, expansion: Expansion): Alternatives {
  return anyOfAlternatives(
    readSchemas(schema, 'anyOf').map((option, index) => expansion.inside(option, below(path, 'anyOf', index))),
  )
}

function matchOne(schema: SchemaObject, path: string, expansion: Expansion, around: Alternatives): Alternatives {
  return exactlyOne(readBranches(schema, path, expansion), below(path, 'oneOf'), expansion, around)
}

export function readBranches(schema: SchemaObject, path: string, expansion: Expansion): Branch[] {
  return readSchemas(schema, 'oneOf').map((option, index) => {
    const at = below(path, 'oneOf', index)
    return { matching: expansion.inside(option, at), inverted: () => expansion.inside(option, at, true) }
  })
}

// Properties and items inside a `not` don't count as evaluated.
function matchNone(schema: SchemaObject, path: string, expansion: Expansion): Alternatives {
  const inverted = expansion.inside(schema['not'] as Schema, below(path, 'not'), true)
  const shapes = inverted.shapes.map((shape) => {
    if (shape.type === 'object') return hideLayers(shape)
    return shape.type === 'array' ? { ...shape, evaluated: 0 } : shape
  })
  return { ...inverted, shapes }
}

function matchCondition(schema: SchemaObject, path: string, expansion: Expansion): Alternatives {
  if (schema['then'] === undefined && schema['else'] === undefined) return { shapes: anyShapes('open', path) }
  const branch = (keyword: 'then' | 'else', isNegated: boolean): Alternatives => {
    const condition = expansion.inside(schema['if'] as Schema, below(path, 'if'), isNegated)
    const consequence = schema[keyword] as Schema | undefined
    if (consequence === undefined || condition.shapes.length === 0) return condition
    return expansion.joinAll(condition, expansion.inside(consequence, below(path, keyword)), below(path, keyword))
  }
  return anyOfAlternatives([branch('then', false), branch('else', true)])
}

function pick(values: readonly unknown[], { shapes }: Alternatives, expansion: Expansion): Alternatives {
  const fitting = values.filter((value) => shapes.some((shape) => isValueInShape(value, shape, expansion)))
  return fitting.length === 0
    ? { shapes: [], conflict: 'none of the values matches the rest of the schema' }
    : { shapes: [{ type: 'values', values: fitting, intent: 'meant' }] }
}

/** Applies the keywords about properties and items that no other keyword is about. */
function limitRest(schema: SchemaObject, path: string, matching: Alternatives): Alternatives {
  const { unevaluatedProperties: properties, unevaluatedItems: items } = schema
  if (properties === undefined && items === undefined) return matching
  const limit = (shape: Shape) => {
    if (shape.type === 'object' && properties !== undefined)
      return limitUnnamed(shape, termAt(properties as Schema, path, 'unevaluatedProperties'))
    if (shape.type === 'array' && items !== undefined)
      return limitUnevaluated(shape, termAt(items as Schema, path, 'unevaluatedItems'))
    return shape
  }
  return { ...matching, shapes: matching.shapes.map(limit) }
}
