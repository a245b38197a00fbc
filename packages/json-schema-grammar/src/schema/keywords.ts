// Which keywords hold schemas, and which others have an effect. Everything else is an annotation,
// such as a title or a description.

import { KEYWORDS_OF } from './schema-object.ts'

/** What a keyword holds: an object of schemas, a list of schemas, a schema, or something else. */
export type Kind = 'named' | 'listed' | 'single' | 'value'

const KEYWORDS: Readonly<Record<Kind, readonly string[]>> = {
  value: [
    ...Object.keys(KEYWORDS_OF),
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
  ],
  named: ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas', 'dependencies'],
  listed: ['anyOf', 'oneOf', 'allOf', 'prefixItems'],
  // Before JSON Schema 2020-12, `items` could also be a list.
  single: [
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
  ],
}

const KINDS = new Map(
  (['value', 'named', 'listed', 'single'] as const).flatMap((kind) =>
    KEYWORDS[kind].map((keyword) => [keyword, kind] as const),
  ),
)

/** Undefined for an annotation. */
export function kindOf(keyword: string): Kind | undefined {
  return KINDS.get(keyword)
}

export function hasEffect(keyword: string): boolean {
  return KINDS.has(keyword)
}
