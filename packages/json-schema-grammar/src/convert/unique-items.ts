// Arrays without equal items. A grammar can't remember what it has written. If there are only a few
// values, it can have a rule for each set of those that are left; the items of all other arrays are
// marked, and a follower remembers them.

import { EMPTY, choice, distinct, item, sequence, type Expression } from '../grammar/expression.ts'
import { countTexts } from '../grammar/count-texts.ts'
import type { ArrayShape, Shape } from '../shape/shape.ts'
import { itemAt } from '../shape/array-shape.ts'
import { toComparable } from '../shape/comparable.ts'
import { isNumberInShape } from '../shape/number-shape.ts'
import type { Term } from '../shape/term.ts'
import type { Conversion } from './conversion.ts'
import { MAX_ITEMS } from '../items/written-items.ts'
import { comma, type MarkItem } from './json-text.ts'
import { NothingFits, SchemaError, below } from '../schema/schema-error.ts'

const MAX_SETS = 130
/** Integers are listed up to this many. */
const MAX_VALUES = MAX_ITEMS

/** `write` writes the items of an array. */
export function uniqueItems(
  shape: ArrayShape,
  conversion: Conversion,
  write: (shape: ArrayShape, mark: MarkItem) => Expression,
): Expression {
  const texts = listedTexts(shape, conversion)
  if (shape.min > (texts?.length ?? shape.min)) throw notEnough(shape)
  const most = Math.min(shape.max, texts?.length ?? shape.max)
  const isSmall = texts !== undefined && shape.contained.length === 0 && setsUpTo(texts.length, most) <= MAX_SETS
  if (isSmall) return listedItems({ ...shape, max: most }, texts, conversion)
  requireMemory(shape)
  if (!hasEnough(shape, conversion)) throw notEnough(shape)
  // A lower maximum would make the grammar larger: the follower ends the array instead.
  return distinct(write(shape, item))
}

function requireMemory({ min, path, contained }: ArrayShape): void {
  if (min > MAX_ITEMS)
    throw new SchemaError(below(path, 'minItems'), `can't be enforced above ${MAX_ITEMS} with "uniqueItems"`)
  // A few values that have to be there several times would only be missed at the end.
  if (contained.some((one) => one.min > 1))
    throw new SchemaError(path, '"uniqueItems" can\'t be enforced with "minContains"', 'uniqueItems')
}

/** Whether there are as many different items as there have to be. */
function hasEnough({ prefix, items, min }: ArrayShape, conversion: Conversion): boolean {
  const needed = min - prefix.length
  if (needed <= 0) return true
  const further = conversion.tryTerm(items)
  return further !== undefined && countTexts(further, conversion.rules, needed) >= needed
}

function notEnough({ path }: ArrayShape): NothingFits {
  return new NothingFits(path, 'there are not enough different values')
}

function listedItems(shape: ArrayShape, texts: readonly string[], conversion: Conversion): Expression {
  // Items after the prefix are all alike.
  const allowed = Array.from({ length: Math.min(shape.prefix.length + 1, shape.max) }, (_, index) =>
    texts.filter((text) => conversion.expander.isValueIn(JSON.parse(text), itemAt(shape, index))),
  )
  const states = new Map<string, Expression | undefined>()

  const from = (used: ReadonlySet<string>): Expression | undefined => {
    const index = used.size
    const key = texts.map((text) => (used.has(text) ? 1 : 0)).join('')
    if (states.has(key)) return states.get(key)
    const { reference, define } = conversion.rules.reserve('unique')
    const fitting = index >= shape.max ? [] : (allowed[Math.min(index, shape.prefix.length)] ?? [])
    const left = fitting.filter((text) => !used.has(text))
    const options = left.flatMap((text) => {
      const rest = from(new Set(used).add(text))
      const begin = index === 0 ? [] : [comma(conversion.rules)]
      return rest === undefined ? [] : [sequence(...begin, text, rest)]
    })
    if (index >= shape.min) options.push(EMPTY)
    states.set(key, options.length === 0 ? undefined : reference)
    define(choice(...options))
    return states.get(key)
  }
  const items = from(new Set())
  if (items === undefined) throw notEnough(shape)
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

/** The texts of every value that an item can have; undefined if they are too many. */
function listedTexts(shape: ArrayShape, conversion: Conversion): string[] | undefined {
  const terms: Term[] = [...shape.prefix, ...(shape.max > shape.prefix.length ? [shape.items] : [])]
  const values = terms.map((term) => listedValues(conversion.expander.expand(term).shapes))
  if (!values.every((list) => list !== undefined)) return undefined
  const different = new Map(values.flat().map((value) => [toComparable(value), value]))
  return Array.from(different.values(), (value) => JSON.stringify(value))
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
