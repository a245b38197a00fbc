// Describes a schema in a few words.

import { schemaName, resolve, type Description, type Schema } from './description.ts'

/** "integer", "array of Message", "'auto' or 'none'" */
export function describeType(description: Description, schema: Schema): string {
  const name = schemaName(schema)
  const { type, items, oneOf, anyOf, enum: values } = resolve(description, schema)
  if (values) return values.map((value) => JSON.stringify(value)).join(' or ')
  const variants = oneOf ?? anyOf
  if (type === 'array') return `array of ${items ? plural(describeType(description, items)) : 'any value'}`
  const isPlain = variants?.some((variant) => variant.type === 'string') ?? type === 'string'
  if (name !== undefined && !isPlain) return name
  if (variants) return variants.map((variant) => describeType(description, variant)).join(' or ')
  if (Array.isArray(type)) return type.join(' or ')
  return type ?? 'any value'
}

function plural(type: string): string {
  return /^(string|integer|number|boolean|object)$/.test(type) ? `${type}s` : type
}

/** "from 0 to 2", "at most 4 items" */
export function describeLimits(schema: Schema): string[] {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems, pattern, format, default: fallback } = schema
  return [
    range(minimum, maximum, ''),
    range(minLength, maxLength, ' characters'),
    range(minItems, maxItems, ' items'),
    format === undefined ? '' : format,
    pattern === undefined ? '' : `matches ${pattern}`,
    fallback === undefined ? '' : `default ${JSON.stringify(fallback)}`,
  ].filter((text) => text !== '')
}

function range(low: number | undefined, high: number | undefined, unit: string): string {
  if (low !== undefined && high !== undefined) return `${low} to ${high}${unit}`
  if (low === 1 && unit !== '') return 'not empty'
  if (low !== undefined) return low === 0 ? '' : `at least ${low}${unit}`
  return high === undefined ? '' : `at most ${high}${unit}`
}

/** The fields of an object, or of the objects in an array. One list per variant. */
export interface Inside {
  title: string
  /** The reference that led here, so that recursive schemas end. */
  reference: string | undefined
  about: string | undefined
  fields: [name: string, schema: Schema, isRequired: boolean][]
}

export function listInside(description: Description, schema: Schema): Inside[] {
  const resolved = resolve(description, schema)
  const variants = resolved.oneOf ?? resolved.anyOf
  if (variants) return variants.flatMap((variant) => listInside(description, variant))
  if (resolved.type === 'array' && resolved.items) return listInside(description, resolved.items)
  const fields = listFields(description, resolved)
  if (fields.length === 0) return []
  const title = schemaName(schema) ?? kindOf(fields)
  return [{ title, reference: schema.$ref, about: resolved.description, fields }]
}

/** The title of an unnamed object: the value of its `type` field, if it has only one. */
function kindOf(fields: Inside['fields']): string {
  const [, type] = fields.find(([name]) => name === 'type') ?? []
  return type?.enum?.length === 1 ? String(type.enum[0]) : 'object'
}

function listFields(description: Description, schema: Schema): Inside['fields'] {
  const { properties = {}, required = [], allOf = [] } = schema
  return [
    ...allOf.flatMap((part) => listFields(description, resolve(description, part))),
    ...Object.entries(properties).map(([name, inner]): Inside['fields'][number] => [
      name,
      inner,
      required.includes(name),
    ]),
  ]
}
