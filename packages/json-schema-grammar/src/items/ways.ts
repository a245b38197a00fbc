// The ways in which a grammar allows a text: places that it can have come to, each with the open
// arrays whose items may not repeat. A way on which an item repeats ends.

import type { GrammarFollower } from '../follow/grammar-follower.ts'
import { isAlive, type Landing, type Place } from '../follow/place.ts'
import type { Mark } from '../follow/steps.ts'
import { areSameScopes, beginItem, writeItem, type Scope } from './written-items.ts'

/** Following so many takes several milliseconds for a token, and running jobs wait for it. */
const MAX_WAYS = 400

export class TooManyWays extends Error {
  override name = 'TooManyWays'

  constructor() {
    super('a text can match it in too many ways')
  }
}

export interface Way {
  readonly place: Place
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

export class Ways {
  readonly list: readonly Way[]
  readonly #follower: GrammarFollower

  constructor(list: readonly Way[], follower: GrammarFollower) {
    this.list = list
    this.#follower = follower
  }

  static start(follower: GrammarFollower): Ways {
    const list: Way[] = []
    addWays(list, follower.begin(), undefined, { text: '', before: 0, end: 0 })
    return new Ways(list, follower)
  }

  get isComplete(): boolean {
    return this.list.some(({ place }) => place.mayEnd)
  }

  /** How many characters there are to wait for. */
  get width(): number {
    return this.list.reduce((sum, { place }) => sum + place.waiting.length, 0)
  }

  isSame({ list }: Ways): boolean {
    return list.length === this.list.length && list.every((way, index) => isSame(way, this.list[index]!))
  }

  /** `written` includes the character. Without ways if the character can't come next. */
  take(code: number, written: Written): Ways {
    const found: Way[] = []
    for (const { place, scope } of this.list) addWays(found, this.#follower.land(place, code), scope, written)
    const ways = new Ways(found, this.#follower)
    if (this.isSame(ways)) return this
    if (ways.width > MAX_WAYS) throw new TooManyWays()
    return ways
  }
}

function addWays(ways: Way[], { place, marked }: Landing, scope: Scope | undefined, written: Written): void {
  if (place === undefined) throw new TooManyWays()
  const way = { place, scope }
  if (isAlive(place) && !ways.some((other) => isSame(way, other))) ways.push(way)
  for (const [mark, landing] of marked) {
    const passed = passMark(mark, scope, written)
    if (passed !== 'ended') addWays(ways, landing, passed, written)
  }
}

function passMark(mark: Mark, scope: Scope | undefined, written: Written): Scope | undefined | 'ended' {
  if (mark === 'array-begin') return { written: undefined, begin: undefined, outer: scope }
  // The other marks are inside an array.
  if (scope === undefined) throw new Error('An item outside of an array')
  const { before, end } = written
  switch (mark) {
    case 'item-begin':
      return beginItem(scope, before + end) ?? 'ended'
    case 'item-end':
      return writeItem(scope, textFrom(written, scope.begin ?? before)) ?? 'ended'
    case 'array-end':
      return scope.outer
    default:
      return mark satisfies never
  }
}

function isSame(a: Way, b: Way): boolean {
  return a.place === b.place && areSameScopes(a.scope, b.scope)
}
