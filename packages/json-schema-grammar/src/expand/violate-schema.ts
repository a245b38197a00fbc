// The shapes of values that don't match a schema: each violates one of its keywords.

import { below } from '../schema/schema-error.ts'
import { readSchemas, type Schema, type SchemaObject } from '../schema/schema-object.ts'
import { anyOfAlternatives, type Alternatives } from './alternatives.ts'
import { violateDependents } from './dependents.ts'
import type { Expansion } from './expansion.ts'
import { readBranches } from './match-schema.ts'
import { readValues, violateOwn } from './own-keywords.ts'
import { violateValues } from './violate-values.ts'

export function violateSchema(schema: SchemaObject, path: string, expansion: Expansion): Alternatives {
  const target = expansion.resolve(schema, path)
  const values = readValues(schema, path)
  const { not } = schema
  return anyOfAlternatives([
    { shapes: violateOwn(schema, path) },
    { shapes: values === undefined ? [] : violateValues(values, path) },
    ...(target === undefined ? [] : [expansion.inside(target.schema, target.path, true)]),
    ...readSchemas(schema, 'allOf').map((part, index) => expansion.inside(part, below(path, 'allOf', index), true)),
    ...(schema['anyOf'] === undefined ? [] : [noneOf(schema, 'anyOf', path, expansion)]),
    ...(schema['oneOf'] === undefined ? [] : noneOrSeveral(schema, path, expansion)),
    ...(not === undefined ? [] : [expansion.inside(not as Schema, below(path, 'not'))]),
    ...(schema['if'] === undefined ? [] : violateCondition(schema, path, expansion)),
    ...violateDependents(schema, path, expansion),
  ])
}

function noneOf(schema: SchemaObject, keyword: 'anyOf' | 'oneOf', path: string, expansion: Expansion): Alternatives {
  return readSchemas(schema, keyword)
    .map((option, index) => expansion.inside(option, below(path, keyword, index), true))
    .reduce((all, more) => expansion.joinAll(all, more, below(path, keyword)))
}

function noneOrSeveral(schema: SchemaObject, path: string, expansion: Expansion): Alternatives[] {
  const branches = readBranches(schema, path, expansion)
  const pairs = branches.flatMap((one, index) =>
    branches.slice(index + 1).map((other) => expansion.joinAll(one.matching, other.matching, below(path, 'oneOf'))),
  )
  return [noneOf(schema, 'oneOf', path, expansion), ...pairs]
}

function violateCondition(schema: SchemaObject, path: string, expansion: Expansion): Alternatives[] {
  return (['then', 'else'] as const).flatMap((keyword) => {
    const consequence = schema[keyword] as Schema | undefined
    if (consequence === undefined) return []
    const condition = expansion.inside(schema['if'] as Schema, below(path, 'if'), keyword === 'else')
    const violated = expansion.inside(consequence, below(path, keyword), true)
    return [expansion.joinAll(condition, violated, below(path, keyword))]
  })
}
