// The items of an array that may not repeat: those that were written, and how the one that is being
// written could become equal to one of them.

import { toComparable } from '../shape/comparable.ts'

/** No further item can follow. */
export const MAX_ITEMS = 1000
/** Of longer values, only a hash is remembered: 1,000 items take 64 KiB at most. */
const MAX_KEY = 64
/**
 * How much of an item's beginning is remembered, to see early that two items differ. The first
 * items of an array get more of it.
 */
const BEGIN = { first: 256, few: 128, later: 32 }
/**
 * There is at most one space between two tokens, so this much text tells as much as is remembered.
 */
const MAX_LOOK = 2 * BEGIN.first

export interface WrittenItem {
  /** Equal for equal values. */
  readonly key: string
  /** The beginning of its text, without spaces. */
  readonly begin: string
  readonly isCut: boolean
  readonly count: number
  readonly earlier: WrittenItem | undefined
}

/** An open array. */
export interface Scope {
  readonly written: WrittenItem | undefined
  /** Where the text of the open item begins; undefined between items. */
  readonly begin: number | undefined
  readonly outer: Scope | undefined
}

/** Where the outermost open item begins. */
export function beginOf(scope: Scope | undefined): number | undefined {
  let begin: number | undefined
  for (let open = scope; open !== undefined; open = open.outer) begin = open.begin ?? begin
  return begin
}

/** Undefined if there are too many items. */
export function beginItem(scope: Scope, begin: number): Scope | undefined {
  return (scope.written?.count ?? 0) < MAX_ITEMS ? { ...scope, begin } : undefined
}

/** Undefined if an equal item was written before. `text` may have a comma in front. */
export function writeItem({ written, outer }: Scope, text: string): Scope | undefined {
  const value: unknown = JSON.parse(text.replace(/^ ?, ?/, ''))
  const key = keyOf(value)
  for (let item = written; item !== undefined; item = item.earlier) if (item.key === key) return undefined
  const count = (written?.count ?? 0) + 1
  const plain = JSON.stringify(value)
  const begin = plain.slice(0, count <= BEGIN.few ? BEGIN.first : BEGIN.later)
  const isCut = begin.length < plain.length
  return { written: { key, begin, isCut, count, earlier: written }, begin: undefined, outer }
}

function keyOf(value: unknown): string {
  const text = String(toComparable(value))
  return text.length <= MAX_KEY ? text : `${text.length} ${hashOf(text)}`
}

/** Two different values with one hash couldn't be in the same array, which nobody would notice. */
function hashOf(text: string): string {
  let [a, b] = [0x81_1c_9d_c5, 0x9e_37_79_b9]
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    a = Math.imul(a ^ code, 0x01_00_01_93)
    b = Math.imul(b ^ (b >>> 15) ^ code, 0x85_eb_ca_6b)
  }
  return `${a >>> 0} ${b >>> 0}`
}

/** Whether an item that begins with `text` could still become equal to one that was written. */
export function mayRepeat(written: WrittenItem | undefined, text: string): boolean {
  if (written === undefined) return false
  // An escape may stand for a character that is written plainly elsewhere.
  if (text.includes('\\')) return true
  const settled = settledPart(text.slice(0, MAX_LOOK))
  for (let item: WrittenItem | undefined = written; item !== undefined; item = item.earlier)
    if (item.begin.startsWith(settled) || (item.isCut && settled.startsWith(item.begin))) return true
  return false
}

/**
 * The text in a form that is equal for equal values; undefined if its end could continue, or if it
 * is long.
 */
export function wholeValues(text: string): string | undefined {
  return text.length > MAX_LOOK || isWord(text.at(-1)) ? undefined : settledPart(text)
}

const PARTS = /"[^"]*"?|[-+.\w]+|[^\s]/g

/** The text without spaces, and without a last number or word that could continue. */
function settledPart(text: string): string {
  const parts = text.replace(/^ ?, ?/, '').match(PARTS) ?? []
  const settled = isWord(parts.at(-1)) ? parts.slice(0, -1) : parts
  return settled.map((part) => (isNumber(part) ? String(Number(part)) : part)).join('')
}

function isWord(part: string | undefined): boolean {
  return part !== undefined && /^[-+.\w]/.test(part)
}

function isNumber(part: string): boolean {
  return /^-?\d/.test(part)
}

export function areSameScopes(a: Scope | undefined, b: Scope | undefined): boolean {
  if (a === b) return true
  if (a === undefined || b === undefined) return false
  return a.begin === b.begin && areSameItems(a.written, b.written) && areSameScopes(a.outer, b.outer)
}

function areSameItems(a: WrittenItem | undefined, b: WrittenItem | undefined): boolean {
  let [one, other] = [a, b]
  while (one !== other) {
    if (one?.key !== other?.key) return false
    one = one?.earlier
    other = other?.earlier
  }
  return true
}
