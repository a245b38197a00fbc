// Arrays that have to contain certain items, some number of times.

import { EMPTY, choice, sequence, type Expression } from '../grammar/expression.ts'
import { itemAt } from '../shape/array-shape.ts'
import type { ArrayShape, Contained } from '../shape/shape.ts'
import { both, type Term } from '../shape/term.ts'
import type { Conversion } from './conversion.ts'
import { comma, type MarkItem } from './json-text.ts'
import { NothingFits, SchemaError, below } from '../schema/schema-error.ts'

/**
 * There is a rule for each number of items and each number of contained ones, made one inside the
 * other: few fit on the stack.
 */
const MAX_STATES = 500
const UNLIMITED = Number.POSITIVE_INFINITY

export function containingItems(shape: ArrayShape, conversion: Conversion, mark: MarkItem): Expression {
  const { contained, path } = shape
  if (contained.length > 2) throw new SchemaError(below(path, 'contains'), "more than two can't be enforced together")
  if (contained.some((one) => one.min > 0 && !canContain(shape, one, conversion)))
    throw new NothingFits(below(path, 'contains'), 'no array contains these items')
  const none = contained.map((one) => ({ contained: one, count: 0 }))
  const items = new ContainingItems(shape, conversion, mark).from(0, none)
  if (items === undefined) throw new NothingFits(below(path, 'contains'), 'no array contains these items')
  return items
}

function canContain(shape: ArrayShape, { term, from }: Contained, { expander }: Conversion): boolean {
  const places = Array.from({ length: Math.max(shape.prefix.length, from) + 1 }, (_, index) => index)
  return places.some(
    (index) => index >= from && index < shape.max && !expander.isImpossible(both(itemAt(shape, index), term)),
  )
}

/** A way to continue: the next item, and the counts with it. */
interface Choice {
  term: Term
  counts: readonly Counted[]
}

/** How many items of one kind there are so far. */
interface Counted {
  contained: Contained
  count: number
}

class ContainingItems {
  readonly #shape: ArrayShape
  readonly #conversion: Conversion
  readonly #mark: MarkItem
  readonly #known = new Map<string, Expression | undefined>()
  /** Beyond this index, items and counts no longer differ. */
  readonly #lastIndex: number

  constructor(shape: ArrayShape, conversion: Conversion, mark: MarkItem) {
    this.#shape = shape
    this.#conversion = conversion
    this.#mark = mark
    const starts = shape.contained.map(({ from }) => from)
    this.#lastIndex = shape.max === UNLIMITED ? Math.max(shape.prefix.length, shape.min, ...starts, 1) : shape.max
  }

  /**
   * The rest of an array after `index` items with so many contained ones; undefined if there is no
   * such array.
   */
  from(index: number, counts: readonly Counted[]): Expression | undefined {
    const at = Math.min(index, this.#lastIndex)
    const key = `${at} ${counts.map(({ count }) => count).join(' ')}`
    if (this.#known.has(key)) return this.#known.get(key)
    if (this.#known.size > MAX_STATES)
      throw new SchemaError(below(this.#shape.path, 'contains'), "can't be enforced with such large counts")
    const { reference, define } = this.#conversion.rules.reserve('items')
    this.#known.set(key, reference)
    const options = this.#options(at, counts)
    if (options.length === 0) {
      this.#known.set(key, undefined)
      return undefined
    }
    define(choice(...options))
    return reference
  }

  #options(index: number, counts: readonly Counted[]): Expression[] {
    const { min, max } = this.#shape
    const isDone = index >= min && counts.every(({ contained, count }) => count >= contained.min)
    const options = isDone ? [EMPTY] : []
    if (index >= max) return options
    return [...this.#choices(index, counts).flatMap((choice) => this.#write(index, choice) ?? []), ...options]
  }

  #write(index: number, { term, counts }: Choice): Expression | undefined {
    const { rules } = this.#conversion
    const item = this.#conversion.tryTerm(term)
    const rest = item === undefined ? undefined : this.from(index + 1, counts)
    if (item === undefined || rest === undefined) return undefined
    return sequence(this.#mark(index === 0 ? item : sequence(comma(rules), item)), rest)
  }

  /** The next item either counts or doesn't, for each kind of contained item. */
  #choices(index: number, counts: readonly Counted[]): Choice[] {
    return counts.reduce<Choice[]>(
      (choices, counted) =>
        choices.flatMap((choice) =>
          nextCounts(counted, index).map(({ more, count }) => ({
            term: both(choice.term, more),
            counts: [...choice.counts, { contained: counted.contained, count }],
          })),
        ),
      [{ term: itemAt(this.#shape, index), counts: [] }],
    )
  }
}

function nextCounts({ contained, count }: Counted, index: number): { more: Term; count: number }[] {
  const { term, negated, min, max, from } = contained
  if (index < from) return [{ more: [], count }]
  const isEnough = count >= min && max === UNLIMITED
  if (isEnough) return [{ more: [], count }]
  // Without a maximum, an item that isn't counted may match as well.
  const other = { more: max === UNLIMITED ? [] : negated, count }
  return count < max ? [{ more: term, count: count + 1 }, other] : [other]
}
