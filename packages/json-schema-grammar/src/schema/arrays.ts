// Arrays: fixed leading items, then a number of further items.

import { EMPTY, repeat, sequence, type Expression } from '../grammar/expression.ts'
import { MAX_COUNT } from '../grammar/grammar-rules.ts'
import type { Conversion } from './conversion.ts'
import { comma, enclosed, separated } from './json-text.ts'
import { NothingFits, SchemaError, below } from './schema-error.ts'
import { readCount, readSchemas, type Schema, type SchemaObject } from './schema-object.ts'

interface ArrayShape {
  fixed: readonly Schema[]
  /** The schema of the items after the fixed ones; false if there can't be any. */
  items: Schema
  min: number
  max: number
}

export function arrayExpression(schema: SchemaObject, path: string, conversion: Conversion): Expression {
  const { rules } = conversion
  const shape = readShape(schema, path)
  const fixed = shape.fixed.map((item, index) => conversion.convert(item, below(path, 'prefixItems', index)))
  const least = Math.max(0, shape.min - fixed.length)
  const most = shape.items === false ? 0 : shape.max - fixed.length
  if (least > most) throw new NothingFits(path, 'no array satisfies the limits on its length')
  const item = most === 0 ? EMPTY : conversion.convert(shape.items, below(path, 'items'))
  if (fixed.length === 0) return enclosed('[', separated(item, least, most, rules), ']', rules)
  const begun = fixed.flatMap((part, index) => (index === 0 ? [part] : [comma(rules), part]))
  const further = most === 0 ? EMPTY : repeat(rules.add('further', sequence(comma(rules), item)), least, most)
  return enclosed('[', sequence(...begun, further), ']', rules)
}

// The fixed items are always written, up to the maximum length: stricter than the schema, but what people mean.
function readShape(schema: SchemaObject, path: string): ArrayShape {
  const min = readCount(schema, 'minItems', path) ?? 0
  const max = readCount(schema, 'maxItems', path) ?? Number.POSITIVE_INFINITY
  if (min > MAX_COUNT) throw new SchemaError(below(path, 'minItems'), `can't be enforced above ${MAX_COUNT}`)
  if (schema['uniqueItems'] === true && max > 1) throw new SchemaError(path, `"uniqueItems" can't be enforced`)
  const { fixed, items } = readItems(schema)
  const most = Number.isFinite(max) ? Math.min(max, MAX_COUNT) : max
  return { fixed: fixed.slice(0, most), items, min, max: most }
}

function readItems(schema: SchemaObject): { fixed: readonly Schema[]; items: Schema } {
  const { items, additionalItems, unevaluatedItems } = schema
  // Before JSON Schema 2020-12, `items` held the fixed items and `additionalItems` the schema of the rest.
  if (Array.isArray(items)) return { fixed: items as Schema[], items: (additionalItems ?? true) as Schema }
  return {
    fixed: readSchemas(schema, 'prefixItems'),
    items: (items ?? unevaluatedItems !== false) as Schema,
  }
}
