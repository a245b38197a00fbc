// Numbers between bounds. A grammar has no arithmetic, so a range becomes digits. 7 to 123 is
// [7-9] | [1-9] [0-9] | "1" ([01] [0-9] | "2" [0-3])
// A fraction is compared digit by digit, and only where the whole part is equal to that of a bound.

import {
  EMPTY,
  characters,
  choice,
  literal,
  optional,
  repeat,
  sequence,
  type Expression,
} from '../grammar/expression.ts'
import type { Bound } from '../shape/shape.ts'
import { toDecimal, type Decimal } from '../shape/decimal.ts'
import { DIGIT, MAX_DECIMALS, MAX_WHOLE } from './digits.ts'

const LARGEST = 10n ** BigInt(MAX_WHOLE) - 1n

interface Limit {
  whole: bigint
  /** The digits after the point, without zeros at the end. */
  fraction: string
  isExclusive: boolean
}

export function integerRange(low: Bound | undefined, high: Bound | undefined): Expression | undefined {
  const from = low === undefined ? -LARGEST : largest(-LARGEST, scale(low, true))
  const to = high === undefined ? LARGEST : -largest(-LARGEST, -scale(high, false))
  return from > to ? undefined : signed(from, to)
}

function largest(a: bigint, b: bigint): bigint {
  return a > b ? a : b
}

/** The nearest integer inside the bound. */
function scale({ value, isExclusive }: Bound, isLow: boolean): bigint {
  const { scaled, decimals } = toDecimal(value)
  const factor = 10n ** BigInt(decimals)
  const down = scaled / factor - (scaled % factor < 0n ? 1n : 0n)
  const isExact = down * factor === scaled
  if (isLow) return isExact && !isExclusive ? down : down + 1n
  return isExact && isExclusive ? down - 1n : down
}

function signed(low: bigint, high: bigint): Expression {
  const options: Expression[] = []
  if (high >= 0n) options.push(wholeRange(low > 0n ? low : 0n, high))
  if (low < 0n) options.push(sequence('-', wholeRange(high < 0n ? -high : 1n, -low)))
  return choice(...options)
}

export function decimalRange(low: Bound | undefined, high: Bound | undefined): Expression | undefined {
  const options: Expression[] = []
  const positive = unsignedRange(atLeastZero(low), high)
  const negative = unsignedRange(aboveZero(mirrored(high)), mirrored(low))
  if (positive !== undefined) options.push(positive)
  if (negative !== undefined) options.push(sequence('-', negative))
  return options.length === 0 ? undefined : choice(...options)
}

function mirrored(bound: Bound | undefined): Bound | undefined {
  return bound && { value: -bound.value, isExclusive: bound.isExclusive }
}

function atLeastZero(low: Bound | undefined): Bound {
  return low === undefined || low.value < 0 ? { value: 0, isExclusive: false } : low
}

// Zero itself has no sign.
function aboveZero(low: Bound | undefined): Bound {
  return low === undefined || low.value <= 0 ? { value: 0, isExclusive: true } : low
}

function unsignedRange(low: Bound, high: Bound | undefined): Expression | undefined {
  if (high !== undefined && high.value < 0) return undefined
  const from = toLimit(low)
  const to = high === undefined || high.value > Number(LARGEST) ? undefined : toLimit(high)
  if (from.whole > LARGEST) return undefined
  const options: (Expression | undefined)[] = []
  if (to !== undefined && from.whole === to.whole) options.push(onWhole(from.whole, between(from, to)))
  else {
    if (to !== undefined && to.whole < from.whole) return undefined
    options.push(onWhole(from.whole, isFree(from) ? anyFraction() : atLeast(from)))
    const [first, last] = [from.whole + 1n, to === undefined ? LARGEST : to.whole - 1n]
    if (first <= last) options.push(sequence(wholeRange(first, last), anyFraction()))
    if (to !== undefined) options.push(onWhole(to.whole, atMost(to)))
  }
  const possible = options.filter((option) => option !== undefined)
  return possible.length === 0 ? undefined : choice(...possible)
}

function isFree({ fraction, isExclusive }: Limit): boolean {
  return fraction === '' && !isExclusive
}

function onWhole(whole: bigint, fraction: Expression | undefined): Expression | undefined {
  return fraction && sequence(whole.toString(), fraction)
}

function toLimit({ value, isExclusive }: Bound): Limit {
  const { scaled, decimals }: Decimal = toDecimal(value)
  const digits = scaled.toString().padStart(decimals + 1, '0')
  const point = digits.length - decimals
  return {
    whole: BigInt(digits.slice(0, point)),
    fraction: digits
      .slice(point)
      .replace(/0+$/, '')
      .slice(0, 2 * MAX_DECIMALS),
    isExclusive,
  }
}

function anyFraction(): Expression {
  return optional(sequence('.', repeat(DIGIT, 1, MAX_DECIMALS)))
}

function digitsUpTo(most: number): Expression {
  return repeat(DIGIT, 0, Math.max(0, most))
}

function digitRange(from: number, to: number): Expression[] {
  return from > to ? [] : [characters([0x30 + from, 0x30 + to])]
}

// A fraction of at least these digits. Without a fraction, a number is smaller, unless the digits
// are none.
function atLeast({ fraction, isExclusive }: Limit): Expression {
  return sequence('.', atLeastDigits(fraction, isExclusive, MAX_DECIMALS))
}

function atLeastDigits(digits: string, isExclusive: boolean, room: number): Expression {
  if (digits === '') {
    if (!isExclusive) return digitsUpTo(room)
    return sequence(repeat(literal('0'), 0, Math.max(0, room - 1)), characters([0x31, 0x39]), digitsUpTo(room - 1))
  }
  const digit = Number(digits[0])
  const equal = sequence(digits.charAt(0), atLeastDigits(digits.slice(1), isExclusive, room - 1))
  return choice(...digitRange(digit + 1, 9).map((more) => sequence(more, digitsUpTo(room - 1))), equal)
}

function atMost({ fraction, isExclusive }: Limit): Expression | undefined {
  if (fraction === '') return isExclusive ? undefined : optional(sequence('.', repeat(literal('0'), 1, MAX_DECIMALS)))
  return optional(sequence('.', atMostDigits(fraction, isExclusive, MAX_DECIMALS)))
}

/** One digit or more, not above `digits`. */
function atMostDigits(digits: string, isExclusive: boolean, room: number): Expression {
  const digit = Number(digits[0])
  const rest = digits.slice(1)
  const less = digitRange(0, digit - 1).map((lower) => sequence(lower, digitsUpTo(room - 1)))
  if (rest !== '') {
    const equal = sequence(digits.charAt(0), optional(atMostDigits(rest, isExclusive, room - 1)))
    return choice(...less, equal)
  }
  if (isExclusive) return choice(...less)
  return choice(...less, sequence(digits.charAt(0), repeat(literal('0'), 0, Math.max(0, room - 1))))
}

/** The fractions between two limits with the same whole part; undefined if there are none. */
function between(low: Limit, high: Limit): Expression | undefined {
  if (isFree(low)) return atMost(high)
  if (high.fraction === '') return undefined
  const digits = betweenDigits(low.fraction, low.isExclusive, high.fraction, high.isExclusive, MAX_DECIMALS)
  return digits && sequence('.', digits)
}

function betweenDigits(
  low: string,
  isLowExclusive: boolean,
  high: string,
  isHighExclusive: boolean,
  room: number,
): Expression | undefined {
  if (low === '' && !isLowExclusive)
    return high === '' ? zeros(isHighExclusive, room) : optional(atMostDigits(high, isHighExclusive, room))
  if (high === '') return undefined
  const [from, to] = [Number(low[0] ?? '0'), Number(high[0])]
  if (from > to) return undefined
  const [lowRest, highRest] = [low.slice(1), high.slice(1)]
  if (from === to) {
    const rest = betweenDigits(lowRest, isLowExclusive, highRest, isHighExclusive, room - 1)
    return rest && sequence(String(from), rest)
  }
  const options = [
    sequence(String(from), atLeastDigits(lowRest, isLowExclusive, room - 1)),
    ...digitRange(from + 1, to - 1).map((digit) => sequence(digit, digitsUpTo(room - 1))),
  ]
  if (highRest !== '') options.push(sequence(String(to), optional(atMostDigits(highRest, isHighExclusive, room - 1))))
  else if (!isHighExclusive) options.push(sequence(String(to), repeat(literal('0'), 0, Math.max(0, room - 1))))
  return choice(...options)
}

function zeros(isExclusive: boolean, room: number): Expression | undefined {
  return isExclusive ? undefined : repeat(literal('0'), 0, Math.max(0, room))
}

/**
 * One option per number of digits: numbers of the same length sort like text. Lengths of which all
 * numbers fit are one option.
 */
function wholeRange(low: bigint, high: bigint): Expression {
  const options: Expression[] = []
  const full: number[] = []
  for (let from = low; from <= high;) {
    const { length } = from.toString()
    const last = 10n ** BigInt(length) - 1n
    const to = last < high ? last : high
    const isFull = length > 1 && from === 10n ** BigInt(length - 1) && to === last
    if (isFull) full.push(length - 1)
    else options.push(sameLength(from.toString(), to.toString()))
    from = to + 1n
  }
  if (full.length > 0)
    options.push(sequence(characters([0x31, 0x39]), repeat(DIGIT, Math.min(...full), Math.max(...full))))
  return choice(...options)
}

/** All digit strings of one length from `low` to `high`. */
function sameLength(low: string, high: string): Expression {
  const { length } = low
  if (length === 0) return EMPTY
  const [first, last] = [Number(low[0]), Number(high[0])]
  if (first === last) return sequence(low.charAt(0), sameLength(low.slice(1), high.slice(1)))
  const rest = length - 1
  const isFromZeros = low.slice(1) === '0'.repeat(rest)
  const isToNines = high.slice(1) === '9'.repeat(rest)
  const options: Expression[] = []
  if (!isFromZeros) options.push(sequence(low.charAt(0), sameLength(low.slice(1), '9'.repeat(rest))))
  const [from, to] = [first + (isFromZeros ? 0 : 1), last - (isToNines ? 0 : 1)]
  if (from <= to) options.push(sequence(characters([0x30 + from, 0x30 + to]), times(DIGIT, rest)))
  if (!isToNines) options.push(sequence(high.charAt(0), sameLength('0'.repeat(rest), high.slice(1))))
  return choice(...options)
}

function times(part: Expression, count: number): Expression {
  return count === 0 ? EMPTY : repeat(part, count, count)
}
