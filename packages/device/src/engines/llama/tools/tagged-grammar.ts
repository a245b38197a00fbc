// Arguments that are written one by one, as part of a grammar.

import {
  below,
  Converter,
  type Expression,
  type GrammarRules,
  optional,
  readNames,
  readProperties,
  SchemaError,
  sequence,
} from '@hearth/json-schema-grammar'
import type { JsonSchema } from '@hearth/protocol'
import type { ArgumentTags } from '../../formats/tool-syntax.ts'
import { glued } from './glued.ts'
import { taggedMember } from './tagged-value.ts'

/** Tagged arguments are written one by one, so nothing can depend on more than one of them. */
const COMBINING = [
  '$ref',
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'if',
  'enum',
  'const',
  'minProperties',
  'maxProperties',
  'propertyNames',
  'patternProperties',
  'dependentRequired',
  'dependentSchemas',
  'dependencies',
] as const

export function taggedArguments(tags: ArgumentTags, schema: JsonSchema, rules: GrammarRules): Expression {
  for (const keyword of COMBINING)
    if (schema[keyword] !== undefined)
      throw new SchemaError('#', `"${keyword}" can't be enforced here on this model`, keyword)
  const converter = new Converter(schema, rules)
  const required = new Set(readNames(schema, 'required', '#'))
  const properties = readProperties(schema)
  const lacking = [...required].find((name) => !properties.has(name))
  if (lacking !== undefined) throw new SchemaError('#/required', `"${lacking}" is required but not in "properties"`)
  const members = [...properties].map(([name, property]) => {
    const written = taggedMember(tags, name, property, below('#', 'properties', name), converter)
    return { written: rules.add(`${name}-tag`, written), isRequired: required.has(name) }
  })
  return tags.glue === ''
    ? sequence(...members.map(({ written, isRequired }) => (isRequired ? written : optional(written))))
    : glued(members, tags.glue, rules)
}
