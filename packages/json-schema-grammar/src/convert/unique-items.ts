// Arrays without equal items. A grammar can't remember what it has written, but it can have a rule for each set of values that are left.

import { EMPTY, choice, sequence, type Expression } from '../grammar/expression.ts'
import type { ArrayShape, Shape } from '../shape/shape.ts'
import { itemAt } from '../shape/array-shape.ts'
import { isNumberInShape } from '../shape/number-shape.ts'
import type { Term } from '../shape/term.ts'
import type { Conversion } from './conversion.ts'
import { comma, exactly } from './json-text.ts'
import { NothingFits, SchemaError } from '../schema/schema-error.ts'

/** Beyond this, the values have to come in the order of the schema. */
const MAX_SETS = 130
const MAX_STATES = 3000
const MAX_VALUES = 200

export function uniqueItems(shape: ArrayShape, conversion: Conversion): Expression {
  const texts = listedTexts(shape, conversion)
  const most = Math.min(shape.max, texts.length)
  const allowed = (index: number, text: string) => conversion.expander.isValueIn(JSON.parse(text), itemAt(shape, index))
  const isAnyOrder = setsUpTo(texts.length, most) <= MAX_SETS
  const states = new Map<string, Expression | undefined>()

  // `used` lists the texts that are taken: all that were written, or all up to the last one.
  const from = (index: number, used: readonly string[]): Expression | undefined => {
    const key = `${index} ${isAnyOrder ? used.toSorted().join('\n') : used.length}`
    if (states.has(key)) return states.get(key)
    if (states.size > MAX_STATES)
      throw new SchemaError(shape.path, '"uniqueItems" can\'t be enforced for so many values', 'uniqueItems')
    const { reference, define } = conversion.rules.reserve('unique')
    const left = index >= most ? [] : texts.filter((text) => !used.includes(text) && allowed(index, text))
    const options = left.flatMap((text) => {
      const taken = isAnyOrder ? [...used, text] : texts.slice(0, texts.indexOf(text) + 1)
      const rest = from(index + 1, taken)
      const begin = index === 0 ? [] : [comma(conversion.rules)]
      return rest === undefined ? [] : [sequence(...begin, exactly(JSON.parse(text)), rest)]
    })
    if (index >= shape.min) options.push(EMPTY)
    states.set(key, options.length === 0 ? undefined : reference)
    define(choice(...options))
    return states.get(key)
  }
  const items = from(0, [])
  if (items === undefined) throw new NothingFits(shape.path, 'there are not enough different values')
  return items
}

function setsUpTo(count: number, size: number): number {
  let [sets, total] = [1, 1]
  for (let taken = 1; taken <= size && total <= MAX_SETS; taken++) {
    sets = (sets * (count - taken + 1)) / taken
    total += sets
  }
  return total
}

/** The texts of every value that an item can have. */
function listedTexts(shape: ArrayShape, conversion: Conversion): string[] {
  const terms: Term[] = [...shape.prefix, ...(shape.max > shape.prefix.length ? [shape.items] : [])]
  const values = terms.map((term) => listedValues(conversion.expander.expand(term).shapes))
  if (shape.contained.length > 0 || !values.every((list) => list !== undefined))
    throw new SchemaError(
      shape.path,
      '"uniqueItems" can\'t be enforced for items without a list of values',
      'uniqueItems',
    )
  const texts = [...new Set(values.flat().map((value) => JSON.stringify(value)))]
  if (texts.length > MAX_VALUES)
    throw new SchemaError(shape.path, '"uniqueItems" can\'t be enforced for so many values', 'uniqueItems')
  return texts
}

/** All values of the shapes, if they are few; undefined otherwise. */
export function listedValues(shapes: readonly Shape[]): unknown[] | undefined {
  const meant = shapes.filter(({ intent }) => intent !== 'incidental')
  const lists = (meant.length > 0 ? meant : shapes).map(valuesOf)
  return lists.every((list) => list !== undefined) ? lists.flat() : undefined
}

function valuesOf(shape: Shape): readonly unknown[] | undefined {
  switch (shape.type) {
    case 'values':
      return shape.values
    case 'null':
      return [null]
    case 'true':
      return [true]
    case 'false':
      return [false]
    case 'number': {
      const { isInteger, low, high } = shape
      if (isInteger !== true || low === undefined || high === undefined || high.value - low.value > MAX_VALUES)
        return undefined
      const first = Math.ceil(low.value)
      const all = Array.from({ length: Math.floor(high.value) - first + 1 }, (_, index) => first + index)
      return all.filter((value) => isNumberInShape(value, shape))
    }
    case 'string':
    case 'array':
    case 'object':
      return undefined
    default:
      return shape satisfies never
  }
}
