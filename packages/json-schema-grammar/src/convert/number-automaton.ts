// Numbers that can't be written as a range: multiples, numbers that are left out, fractions. The
// automaton reads the digits and keeps what it needs to know at the end: how the number compares
// with bounds, and what remains of a division.

import { NO_LETTER, type Alphabet } from '../language/alphabet.ts'
import { NOWHERE, type Automaton } from '../language/automaton.ts'
import { explore } from '../language/explore.ts'
import { PatternError } from '../language/language.ts'
import { EMPTY_LIST, NumberLists } from '../grammar/number-lists.ts'
import { minimize } from '../language/minimize.ts'
import type { WorkBudget } from '../language/work-budget.ts'
import { toDecimal } from '../shape/decimal.ts'
import type { Bound, NumberShape } from '../shape/shape.ts'
import { MAX_DECIMALS, MAX_WHOLE } from './digits.ts'

/** An automaton has a state for each remainder. */
const MAX_REMAINDERS = 1000
/** Before states are merged, there is one for each remainder and each number of digits. */
const MAX_STATES = 4000

const POINT = 10
const SIGN = 11

/** The digits 0 to 9, then the point, then the sign. */
const ALPHABET: Alphabet = {
  intervals: [
    { from: 0, to: 0x2c, letter: NO_LETTER },
    { from: 0x2d, to: 0x2d, letter: SIGN },
    { from: 0x2e, to: 0x2e, letter: POINT },
    { from: 0x2f, to: 0x2f, letter: NO_LETTER },
    ...Array.from({ length: 10 }, (_, digit) => ({ from: 0x30 + digit, to: 0x30 + digit, letter: digit })),
    { from: 0x3a, to: 0x10_ff_ff, letter: NO_LETTER },
  ],
  size: 12,
}
/** The remainder of a number with a digit that no multiple has. */
const NO_MULTIPLE = -1

interface Reading {
  readonly isNegative: boolean
  /** Digits before the point; -1 for a lone zero, after which there are no more. */
  readonly whole: number
  /** Digits after the point; -1 before it. */
  readonly decimals: number
  /** Whether a digit other than 0 came after the point. */
  readonly hasFraction: boolean
  readonly isZero: boolean
  /**
   * For each comparison, whether the digits so far are smaller than those of the other number (-1),
   * equal (0) or larger (1).
   */
  readonly orders: readonly number[]
  /** For each divisor, the remainder of the digits so far, or NO_MULTIPLE. */
  readonly remainders: readonly number[]
}

interface Comparison {
  isNegative: boolean
  whole: string
  fraction: string
  /** Whether the number may compare like this in the end. */
  isMet: (order: number) => boolean
}

interface Divisor {
  /** The divisor times ten to the power of `decimals`. */
  scaled: number
  decimals: number
  /** Whether the number has to be a multiple or must not be one. */
  isWanted: boolean
}

export function numberAutomaton(shape: NumberShape, work: WorkBudget): Automaton {
  return minimize(new NumberReader(shape).automaton(work), work)
}

class NumberReader {
  readonly #isInteger: boolean | undefined
  readonly #comparisons: readonly Comparison[]
  readonly #divisors: readonly Divisor[]
  readonly #maxDecimals: number
  readonly #readings: Reading[] = []
  readonly #numbers = new Map<number, number>()
  readonly #lists = new NumberLists()

  constructor({ isInteger, low, high, excluded, multiples, notMultiples }: NumberShape) {
    this.#isInteger = isInteger
    this.#comparisons = [
      ...(low === undefined ? [] : [toComparison(low.value, (order) => order > 0 || isOn(low, order))]),
      ...(high === undefined ? [] : [toComparison(high.value, (order) => order < 0 || isOn(high, order))]),
      ...excluded.map((value) => toComparison(value, (order) => order !== 0)),
    ]
    this.#divisors = [
      ...multiples.map((value) => toDivisor(value, true)),
      ...notMultiples.map((value) => toDivisor(value, false)),
    ]
    const decimals = this.#divisors.filter(({ isWanted }) => isWanted).map((divisor) => divisor.decimals)
    this.#maxDecimals = isInteger === true ? 0 : Math.min(MAX_DECIMALS, ...decimals)
  }

  automaton(work: WorkBudget): Automaton {
    return explore(
      {
        alphabet: ALPHABET,
        start: this.#numberOf(this.#start()),
        isAccepted: (number) => this.#isComplete(this.#readingAt(number)),
        follow: (number, targets) => this.#follow(this.#readingAt(number), targets),
        maxStates: MAX_STATES,
      },
      work,
    )
  }

  #start(): Reading {
    return {
      isNegative: false,
      whole: 0,
      decimals: -1,
      hasFraction: false,
      isZero: true,
      orders: this.#comparisons.map(() => 0),
      remainders: this.#divisors.map(() => 0),
    }
  }

  #readingAt(number: number): Reading {
    const reading = this.#readings[number]
    if (reading === undefined) throw new Error(`There is no reading ${number}`)
    return reading
  }

  /** The same for equal readings. */
  #numberOf(reading: Reading): number {
    const { isNegative, whole, decimals, hasFraction, isZero, orders, remainders } = reading
    const digits = (whole + 1) * (MAX_DECIMALS + 2) + decimals + 1
    const flags = Number(isNegative) + Number(hasFraction) * 2 + Number(isZero) * 4
    let list = this.#lists.extended(EMPTY_LIST, digits * 8 + flags)
    for (const order of orders) list = this.#lists.extended(list, order + 1)
    for (const remainder of remainders) list = this.#lists.extended(list, remainder + 1)
    let number = this.#numbers.get(list)
    if (number === undefined) this.#numbers.set(list, (number = this.#readings.push(reading) - 1))
    return number
  }

  #follow(reading: Reading, targets: Int32Array): void {
    for (let digit = 0; digit < 10; digit++) targets[digit] = this.#numberOrNowhere(this.#readDigit(reading, digit))
    targets[POINT] = this.#numberOrNowhere(this.#readPoint(reading))
    targets[SIGN] = this.#numberOrNowhere(readSign(reading))
  }

  #numberOrNowhere(reading: Reading | undefined): number {
    return reading === undefined ? NOWHERE : this.#numberOf(reading)
  }

  #readPoint(reading: Reading): Reading | undefined {
    const isAllowed = reading.whole !== 0 && reading.decimals === -1 && this.#maxDecimals > 0
    return isAllowed ? { ...reading, decimals: 0, whole: 1, orders: this.#wholeOrders(reading) } : undefined
  }

  #readDigit(reading: Reading, digit: number): Reading | undefined {
    return reading.decimals === -1 ? this.#readWhole(reading, digit) : this.#readFraction(reading, digit)
  }

  #readWhole(reading: Reading, digit: number): Reading | undefined {
    const { whole, orders } = reading
    if (whole === -1 || whole >= MAX_WHOLE) return undefined
    return {
      isNegative: reading.isNegative,
      whole: whole === 0 && digit === 0 ? -1 : whole + 1,
      decimals: -1,
      hasFraction: false,
      isZero: digit === 0 && reading.isZero,
      orders: this.#comparisons.map((other, index) => orders[index] || compareDigit(digit, other.whole[whole])),
      remainders: this.#dividedWith(reading, digit),
    }
  }

  #readFraction(reading: Reading, digit: number): Reading | undefined {
    const { whole, decimals, orders } = reading
    if (decimals >= this.#maxDecimals) return undefined
    return {
      isNegative: reading.isNegative,
      whole,
      decimals: decimals + 1,
      hasFraction: reading.hasFraction || digit > 0,
      isZero: digit === 0 && reading.isZero,
      orders: this.#comparisons.map(
        ({ fraction }, index) => orders[index] || compareDigit(digit, fraction[decimals] ?? '0'),
      ),
      remainders: this.#dividedWith(reading, digit),
    }
  }

  // A digit other than 0 after all decimals of the divisor: never a multiple.
  #dividedWith({ remainders, decimals }: Reading, digit: number): number[] {
    return this.#divisors.map((by, index) => {
      const remainder = remainders[index] ?? 0
      if (decimals >= by.decimals) return digit === 0 ? remainder : NO_MULTIPLE
      return (remainder * 10 + digit) % by.scaled
    })
  }

  // Without zeros at the beginning, more digits make a larger number.
  #wholeOrders({ whole, orders }: Reading): number[] {
    const digits = Math.abs(whole)
    return this.#comparisons.map((other, index) => Math.sign(digits - other.whole.length) || (orders[index] ?? 0))
  }

  #isComplete(reading: Reading): boolean {
    const { whole, decimals, isNegative, isZero, hasFraction, remainders } = reading
    if (whole === 0 || decimals === 0) return false
    if (isNegative && isZero) return false
    if (this.#isInteger !== undefined && this.#isInteger === hasFraction) return false
    const orders = decimals === -1 ? this.#wholeOrders(reading) : reading.orders
    return (
      this.#comparisons.every((other, index) => other.isMet(orderOf(other, orders[index] ?? 0, reading))) &&
      this.#divisors.every((by, index) => isMultiple(by, remainders[index] ?? 0, decimals) === by.isWanted)
    )
  }
}

function readSign(reading: Reading): Reading | undefined {
  const isFirst = reading.whole === 0 && !reading.isNegative && reading.decimals === -1
  return isFirst ? { ...reading, isNegative: true } : undefined
}

/** How the number compares with another one, signs included. */
function orderOf(other: Comparison, order: number, { isNegative, decimals }: Reading): number {
  if (other.isNegative !== isNegative) return isNegative ? -1 : 1
  const rest = other.fraction.slice(Math.max(0, decimals))
  const size = order || (rest === '' ? 0 : -1)
  return isNegative ? -size : size
}

function isMultiple(by: Divisor, remainder: number, decimals: number): boolean {
  let left = remainder
  for (let count = Math.max(0, decimals); count < by.decimals; count++) left = (left * 10) % by.scaled
  return left === 0
}

/** Whether the number is the bound itself, which is inside. */
function isOn({ isExclusive }: Bound, order: number): boolean {
  return order === 0 && !isExclusive
}

/** The first digit that differs decides. */
function compareDigit(digit: number, other: string | undefined): number {
  return other === undefined ? 0 : Math.sign(digit - Number(other))
}

function toComparison(value: number, isMet: Comparison['isMet']): Comparison {
  const { scaled, decimals } = toDecimal(Math.abs(value))
  const digits = scaled.toString().padStart(decimals + 1, '0')
  const point = digits.length - decimals
  const [whole, fraction] = [digits.slice(0, point), digits.slice(point).replace(/0+$/, '')]
  return { isNegative: value < 0, whole, fraction, isMet }
}

function toDivisor(value: number, isWanted: boolean): Divisor {
  const { scaled, decimals } = toDecimal(value)
  if (scaled > MAX_REMAINDERS) throw new PatternError(`can't be enforced with more than ${MAX_REMAINDERS} remainders`)
  return { scaled: Number(scaled), decimals, isWanted }
}
