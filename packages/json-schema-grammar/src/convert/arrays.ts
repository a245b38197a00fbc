// Arrays: fixed leading items, then a number of further items.

import { EMPTY, choice, optional, repeat, sequence, type Expression } from '../grammar/expression.ts'
import { MAX_COUNT } from '../grammar/grammar-rules.ts'
import { longest } from '../shape/array-shape.ts'
import type { ArrayShape } from '../shape/shape.ts'
import { containingItems } from './containing-items.ts'
import type { Conversion } from './conversion.ts'
import { comma, enclosed, separated, type MarkItem } from './json-text.ts'
import { NothingFits, SchemaError, below } from '../schema/schema-error.ts'
import { uniqueItems } from './unique-items.ts'

export function arrayExpression(shape: ArrayShape, conversion: Conversion): Expression {
  const { rules } = conversion
  const bounded = withBounds(shape, conversion)
  const write = (one: ArrayShape, mark: MarkItem) =>
    (one.contained.length > 0 ? containingItems : plainItems)(one, conversion, mark)
  const isUnique = bounded.isUnique && bounded.max > 1
  const items = isUnique ? uniqueItems(bounded, conversion, write) : write(bounded, (part) => part)
  return enclosed('[', items, ']', rules)
}

// The fixed items are always written, up to the maximum length, unless the schema gives a minimum:
// stricter, but what people mean.
function withBounds(shape: ArrayShape, { expander }: Conversion): ArrayShape {
  const { path, prefix } = shape
  if (shape.min > MAX_COUNT) throw new SchemaError(below(path, 'minItems'), `can't be enforced above ${MAX_COUNT}`)
  const possible = longest(shape, (term) => expander.isImpossible(term))
  const max = Number.isFinite(possible) ? Math.min(possible, MAX_COUNT) : possible
  const min = shape.hasMin ? shape.min : Math.max(shape.min, Math.min(prefix.length, max))
  if (min > max) throw new NothingFits(path, 'no array satisfies the limits on its length')
  return { ...shape, prefix: prefix.slice(0, max), min, max }
}

function plainItems({ prefix, items, min, max, path }: ArrayShape, conversion: Conversion, mark: MarkItem): Expression {
  const { rules } = conversion
  const fixed = prefix.map((term) => conversion.convertTerm(term))
  const [least, most] = [Math.max(0, min - fixed.length), max - fixed.length]
  const item = most === 0 ? undefined : conversion.tryTerm(items)
  if (item === undefined && least > 0) throw new NothingFits(path, 'no array satisfies the limits on its length')
  if (fixed.length === 0) return item === undefined ? EMPTY : separated(item, least, most, rules, mark)
  const further =
    item === undefined ? EMPTY : repeat(rules.add('further', mark(sequence(comma(rules), item))), least, most)
  return fixedItems(fixed, min, further, conversion, mark)
}

/** The fixed items, of which only the first `min` have to be there. */
function fixedItems(
  fixed: readonly Expression[],
  min: number,
  further: Expression,
  { rules }: Conversion,
  mark: MarkItem,
): Expression {
  return fixed.reduceRight((rest, item, index) => {
    const written = sequence(mark(index === 0 ? item : sequence(comma(rules), item)), rest)
    if (index < min) return written
    return index === 0 ? choice(written, EMPTY) : optional(rules.add('fixed', written))
  }, further)
}
