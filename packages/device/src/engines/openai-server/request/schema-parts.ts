// The parts of JSON Schema that a request may use. A server that enforces schemas may still silently skip a keyword, so each part beyond the
// basics must pass a probe before a request may contain it.

import type { JsonSchema } from '@hearth/protocol'

const BASIC = ['type', 'properties', 'required', 'additionalProperties', 'items', 'enum', 'const', 'anyOf']
const WITHOUT_FORCE = ['title', 'description', 'default', 'examples', '$schema', '$id', '$comment', 'deprecated']
const FREE = new Set([...BASIC, ...WITHOUT_FORCE, 'readOnly', 'writeOnly', '$defs', 'definitions'])

export interface SchemaPart {
  /** Shown in the probe table and in errors. */
  name: string
  keywords: readonly string[]
  /** Requires a value that no model would produce by chance. */
  schema: JsonSchema
  accepts: (value: unknown) => boolean
}

const isText = (value: unknown): value is string => typeof value === 'string'
const isAround7000 = (value: unknown): boolean => typeof value === 'number' && value >= 7_000 && value <= 7_009

/** `#/$defs/word` is defined in the schema around these; see probe-json.ts. */
export const SCHEMA_PARTS: readonly SchemaPart[] = [
  {
    name: 'pattern',
    keywords: ['pattern'],
    schema: { type: 'string', pattern: '^[0-9]{3}-[0-9]{4}$' },
    accepts: (value) => isText(value) && /^[0-9]{3}-[0-9]{4}$/.test(value),
  },
  {
    name: 'integer-range',
    keywords: ['minimum', 'maximum'],
    schema: { type: 'integer', minimum: 7_000, maximum: 7_009 },
    accepts: (value) => Number.isInteger(value) && isAround7000(value),
  },
  {
    name: 'number-range',
    keywords: ['minimum', 'maximum'],
    schema: { type: 'number', minimum: 7_000, maximum: 7_009 },
    accepts: isAround7000,
  },
  {
    name: 'length',
    keywords: ['minLength', 'maxLength'],
    schema: { type: 'string', minLength: 7, maxLength: 7 },
    accepts: (value) => isText(value) && /^.{7}$/su.test(value),
  },
  {
    name: 'item-count',
    keywords: ['minItems', 'maxItems'],
    schema: { type: 'array', items: { type: 'boolean' }, minItems: 3, maxItems: 3 },
    accepts: (value) => Array.isArray(value) && value.length === 3,
  },
  {
    name: 'tuple',
    keywords: ['prefixItems'],
    schema: { type: 'array', prefixItems: [{ const: 'qzx' }, { const: 7 }], minItems: 2, maxItems: 2 },
    accepts: (value) => JSON.stringify(value) === '["qzx",7]',
  },
  {
    name: 'reference',
    keywords: ['$ref'],
    schema: { $ref: '#/$defs/word' },
    accepts: isWord,
  },
  { name: 'one-of', keywords: ['oneOf'], schema: { oneOf: [{ const: 'vkj' }, { const: 'jkv' }] }, accepts: isWord },
  { name: 'all-of', keywords: ['allOf'], schema: { allOf: [{ $ref: '#/$defs/word' }] }, accepts: isWord },
  {
    name: 'date',
    keywords: ['format'],
    schema: { type: 'string', format: 'date' },
    accepts: (value) => isText(value) && /^\d{4}-\d{2}-\d{2}$/.test(value),
  },
]

export const WORD_SCHEMA: JsonSchema = { enum: ['vkj', 'jkv'] }

export interface Unenforced {
  keyword: string
  /** For example `#/properties/name`. */
  place: string
}

/** Finds the first keyword that the server didn't prove to enforce. */
export function findUnenforced(schema: JsonSchema, enforced: readonly string[], place = '#'): Unenforced | undefined {
  for (const [keyword, value] of Object.entries(schema)) {
    if (!isEnforced(keyword, schema, enforced)) return { keyword, place }
    for (const [name, inner] of subschemas(keyword, value)) {
      const found = findUnenforced(inner, enforced, `${place}/${keyword}${name}`)
      if (found !== undefined) return found
    }
  }
  return undefined
}

function isEnforced(keyword: string, schema: JsonSchema, enforced: readonly string[]): boolean {
  if (FREE.has(keyword)) return true
  if (keyword === 'minimum' || keyword === 'maximum')
    return enforced.includes(schema['type'] === 'integer' ? 'integer-range' : 'number-range')
  if (keyword === 'format') return schema['format'] === 'date' && enforced.includes('date')
  return SCHEMA_PARTS.some((part) => part.keywords.includes(keyword) && enforced.includes(part.name))
}

const MAPS = new Set(['properties', '$defs', 'definitions'])
const LISTS = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems'])

function subschemas(keyword: string, value: unknown): [name: string, schema: JsonSchema][] {
  const isHolding = MAPS.has(keyword) ? isObject(value) : LISTS.has(keyword) && Array.isArray(value)
  if (isHolding)
    return Object.entries(value as object).flatMap(([name, inner]) => (isObject(inner) ? [[`/${name}`, inner]] : []))
  return (keyword === 'items' || keyword === 'additionalProperties') && isObject(value) ? [['', value]] : []
}

function isObject(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isWord(value: unknown): boolean {
  return value === 'vkj' || value === 'jkv'
}
