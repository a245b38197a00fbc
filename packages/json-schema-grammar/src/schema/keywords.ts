// Which keywords hold schemas, and which others have an effect. Everything else is an annotation, such as a title or a description.

import { KEYWORDS_OF } from './schema-object.ts'

/** The value is an object of schemas. */
export const NAMED = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
  'dependencies',
])

/** The value is a list of schemas. */
export const LISTED = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems'])

/** The value is a schema. */
export const SINGLE = new Set([
  'items',
  'additionalProperties',
  'additionalItems',
  'propertyNames',
  'unevaluatedProperties',
  'unevaluatedItems',
  'contains',
  'not',
  'if',
  'then',
  'else',
])

const WITH_EFFECT = new Set([
  ...Object.keys(KEYWORDS_OF),
  ...NAMED,
  ...LISTED,
  ...SINGLE,
  'type',
  'enum',
  'const',
  'minContains',
  'maxContains',
  '$ref',
  '$dynamicRef',
  '$recursiveRef',
  '$id',
  'id',
  '$anchor',
  '$dynamicAnchor',
  '$recursiveAnchor',
])

export function hasEffect(keyword: string): boolean {
  return WITH_EFFECT.has(keyword)
}
