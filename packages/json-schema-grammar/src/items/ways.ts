// The ways in which a grammar allows a text. A way is what has to follow, as a stack, and the open arrays whose items may not repeat. A way on
// which an item repeats ends.

import type { Expression } from '../grammar/expression.ts'
import { areSameScopes, beginItem, writeItem, type Scope } from './written-items.ts'

/** Following so many takes several milliseconds for a token, and running jobs wait for it. */
const MAX_WAYS = 400

export class TooManyWays extends Error {
  override name = 'TooManyWays'
}

type Place = Expression | { readonly type: 'item-end' | 'array-end' }

export interface Frame {
  readonly place: Place
  /** How much of the place is behind: parts of a sequence, repetitions, characters of a literal. */
  readonly count: number
  readonly next: Frame | undefined
}

export interface Way {
  /** The first is a literal or a character; undefined if the text is complete. */
  readonly frame: Frame | undefined
  readonly scope: Scope | undefined
}

/** The text so far, as far as open items need it. */
export interface Written {
  readonly text: string
  /** How long the text before it is. */
  readonly before: number
  /** Where it ends in `text`. */
  readonly end: number
}

export function textFrom({ text, before, end }: Written, begin: number): string {
  return text.slice(begin - before, end)
}

const ITEM_END = { type: 'item-end' } as const
const ARRAY_END = { type: 'array-end' } as const

export class Ways {
  readonly list: readonly Way[]
  readonly #rules: ReadonlyMap<string, Expression>
  /** For characters after which everything is as before: most of a text is inside strings. */
  readonly #isLoop = new Map<number, boolean>()

  constructor(list: readonly Way[], rules: ReadonlyMap<string, Expression>) {
    this.list = list
    this.#rules = rules
  }

  static start(root: Expression, rules: ReadonlyMap<string, Expression>): Ways {
    const settling = new Settling(rules, { text: '', before: 0, end: 0 })
    settling.settle({ place: root, count: 0, next: undefined }, undefined)
    return new Ways(settling.ways, rules)
  }

  get isComplete(): boolean {
    return this.list.some(({ frame }) => frame === undefined)
  }

  isSame({ list }: Ways): boolean {
    return areSame(this.list, list)
  }

  isLoop(code: number): boolean {
    return this.#isLoop.get(code) === true
  }

  /** `written` includes the character. Without ways if the character can't come next. */
  take(code: number, written: Written): Ways {
    if (this.isLoop(code)) return this
    const settling = new Settling(this.#rules, written)
    for (const { frame, scope } of this.list) {
      const after = frame && pass(frame, code)
      if (after !== undefined) settling.settle(after.frame, scope)
    }
    const isSame = areSame(settling.ways, this.list)
    if (!this.#isLoop.has(code)) this.#isLoop.set(code, isSame)
    return isSame ? this : new Ways(settling.ways, this.#rules)
  }
}

/** Undefined if the character doesn't match. */
function pass({ place, count, next }: Frame, code: number): { frame: Frame | undefined } | undefined {
  if (place.type === 'literal' && place.text.codePointAt(count) === code)
    return { frame: { place, count: count + (code > 0xff_ff ? 2 : 1), next } }
  if (place.type === 'characters' && place.ranges.some(([from, to]) => code >= from && code <= to))
    return { frame: next }
  return undefined
}

/** Goes on to the next characters of each way. */
class Settling {
  readonly ways: Way[] = []
  readonly #rules: ReadonlyMap<string, Expression>
  readonly #written: Written

  constructor(rules: ReadonlyMap<string, Expression>, written: Written) {
    this.#rules = rules
    this.#written = written
  }

  settle(frame: Frame | undefined, scope: Scope | undefined): void {
    if (frame === undefined) return this.#add({ frame, scope })
    const { place, count, next } = frame
    switch (place.type) {
      case 'characters':
        return this.#add({ frame, scope })
      case 'literal':
        return count < place.text.length ? this.#add({ frame, scope }) : this.settle(next, scope)
      case 'sequence':
        return this.#settleSequence(place, frame, scope)
      case 'choice':
        return place.options.forEach((option) => this.settle({ place: option, count: 0, next }, scope))
      case 'repeat':
        return this.#settleRepeat(place, frame, scope)
      case 'rule':
        return this.settle({ place: this.#rules.get(place.name)!, count: 0, next }, scope)
      case 'distinct':
      case 'item':
      case 'item-end':
      case 'array-end':
        return this.#settleItems(place, next, scope)
      default:
        return place satisfies never
    }
  }

  #settleSequence({ parts }: Extract<Expression, { type: 'sequence' }>, frame: Frame, scope: Scope | undefined): void {
    const { place, count, next } = frame
    const part = parts[count]
    if (part === undefined) return this.settle(next, scope)
    const rest = count + 1 < parts.length ? { place, count: count + 1, next } : next
    this.settle({ place: part, count: 0, next: rest }, scope)
  }

  #settleRepeat({ part, min, max }: Extract<Expression, { type: 'repeat' }>, frame: Frame, scope: Scope | undefined) {
    const { place, count, next } = frame
    // Beyond the minimum, an endless repetition counts no further.
    const after = max === Number.POSITIVE_INFINITY ? Math.min(count + 1, min) : count + 1
    if (count < max) this.settle({ place: part, count: 0, next: { place, count: after, next } }, scope)
    if (count >= min) this.settle(next, scope)
  }

  #settleItems(
    place: Extract<Place, { type: 'distinct' | 'item' | 'item-end' | 'array-end' }>,
    next: Frame | undefined,
    scope: Scope | undefined,
  ): void {
    const after = (last: Place, part: Expression): Frame => ({
      place: part,
      count: 0,
      next: { place: last, count: 0, next },
    })
    if (place.type === 'distinct')
      return this.settle(after(ARRAY_END, place.part), { written: undefined, begin: undefined, outer: scope })
    // The other places are inside a `distinct` array.
    if (scope === undefined) throw new Error('An item outside of an array')
    if (place.type === 'array-end') return this.settle(next, scope.outer)
    const { before, end } = this.#written
    const changed =
      place.type === 'item'
        ? beginItem(scope, before + end)
        : writeItem(scope, textFrom(this.#written, scope.begin ?? before))
    if (changed !== undefined) this.settle(place.type === 'item' ? after(ITEM_END, place.part) : next, changed)
  }

  #add(way: Way): void {
    if (this.ways.some((other) => isSame(way, other))) return
    if (this.ways.push(way) > MAX_WAYS) throw new TooManyWays('a text can match it in too many ways')
  }
}

function areSame(a: readonly Way[], b: readonly Way[]): boolean {
  return a.length === b.length && a.every((way, index) => isSame(way, b[index]!))
}

function isSame(a: Way, b: Way): boolean {
  let [one, other] = [a.frame, b.frame]
  while (one !== other) {
    if (one?.place !== other?.place || one?.count !== other?.count) return false
    one = one?.next
    other = other?.next
  }
  return areSameScopes(a.scope, b.scope)
}
