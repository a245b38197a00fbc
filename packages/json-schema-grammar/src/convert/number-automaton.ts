// Numbers that can't be written as a range: multiples, numbers that are left out, fractions. The automaton reads the digits and keeps what
// it needs to know at the end: how the number compares with bounds, and what remains of a division.

import { NO_LETTER, type Alphabet } from '../language/alphabet.ts'
import { NOWHERE, type Automaton } from '../language/automaton.ts'
import { explore } from '../language/explore.ts'
import { PatternError } from '../language/language.ts'
import { minimize } from '../language/minimize.ts'
import type { WorkBudget } from '../language/work-budget.ts'
import { toDecimal } from '../shape/decimal.ts'
import type { Bound, NumberShape } from '../shape/shape.ts'

const MAX_WHOLE = 15
const MAX_DECIMALS = 16
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
const NO_MULTIPLE = -1
interface Reading {
  isNegative: boolean
  /** Digits before the point; -1 for a lone zero, after which there are no more. */
  whole: number
  /** Digits after the point; -1 before it. */
  decimals: number
  /** Whether a digit other than 0 came after the point. */
  hasFraction: boolean
  isZero: boolean
  compared: readonly Compared[]
  divided: readonly Divided[]
}

/** Whether the digits so far are smaller than those of another number (-1), equal (0) or larger (1). */
interface Compared {
  other: Comparison
  order: number
}

/** The remainder of the digits so far, or NO_MULTIPLE. */
interface Divided {
  by: Divisor
  remainder: number
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
  readonly #start: Reading
  readonly #readings: Reading[] = []
  readonly #numbers = new Map<string, number>()
  readonly #maxDecimals: number

  constructor({ isInteger, low, high, excluded, multiples, notMultiples }: NumberShape) {
    const comparisons = [
      ...(low === undefined ? [] : [toComparison(low.value, (order) => order > 0 || isOn(low, order))]),
      ...(high === undefined ? [] : [toComparison(high.value, (order) => order < 0 || isOn(high, order))]),
      ...excluded.map((value) => toComparison(value, (order) => order !== 0)),
    ]
    const divisors = [
      ...multiples.map((value) => toDivisor(value, true)),
      ...notMultiples.map((value) => toDivisor(value, false)),
    ]
    const decimals = divisors.filter(({ isWanted }) => isWanted).map((divisor) => divisor.decimals)
    this.#isInteger = isInteger
    this.#maxDecimals = isInteger === true ? 0 : Math.min(MAX_DECIMALS, ...decimals)
    this.#start = {
      isNegative: false,
      whole: 0,
      decimals: -1,
      hasFraction: false,
      isZero: true,
      compared: comparisons.map((other) => ({ other, order: 0 })),
      divided: divisors.map((by) => ({ by, remainder: 0 })),
    }
  }

  automaton(work: WorkBudget): Automaton {
    return explore(
      {
        alphabet: ALPHABET,
        start: this.#numberOf(this.#start),
        isAccepted: (number) => this.#isComplete(this.#readings[number]!),
        follow: (number, targets) => {
          for (let letter = 0; letter < targets.length; letter++) {
            const next = this.#read(this.#readings[number]!, letter)
            targets[letter] = next === undefined ? NOWHERE : this.#numberOf(next)
          }
        },
        maxStates: MAX_STATES,
      },
      work,
    )
  }

  /** The same for equal readings. */
  #numberOf(reading: Reading): number {
    const key = keyOf(reading)
    let number = this.#numbers.get(key)
    if (number === undefined) this.#numbers.set(key, (number = this.#readings.push(reading) - 1))
    return number
  }

  #read(reading: Reading, letter: number): Reading | undefined {
    if (letter === SIGN) {
      const isFirst = reading.whole === 0 && !reading.isNegative && reading.decimals === -1
      return isFirst ? { ...reading, isNegative: true } : undefined
    }
    if (letter === POINT) {
      const isAllowed = reading.whole !== 0 && reading.decimals === -1 && this.#maxDecimals > 0
      return isAllowed ? { ...reading, decimals: 0, whole: 1, compared: comparedWhole(reading) } : undefined
    }
    return reading.decimals === -1 ? this.#readWhole(reading, letter) : this.#readFraction(reading, letter)
  }

  #readWhole(reading: Reading, digit: number): Reading | undefined {
    if (reading.whole === -1 || reading.whole >= MAX_WHOLE) return undefined
    const { whole } = reading
    return {
      ...reading,
      whole: whole === 0 && digit === 0 ? -1 : whole + 1,
      isZero: digit === 0 && reading.isZero,
      compared: reading.compared.map((one) => decided(one, digit, one.other.whole[whole])),
      divided: dividedWith(reading, digit),
    }
  }

  #readFraction(reading: Reading, digit: number): Reading | undefined {
    if (reading.decimals >= this.#maxDecimals) return undefined
    const at = reading.decimals
    return {
      ...reading,
      decimals: at + 1,
      hasFraction: reading.hasFraction || digit > 0,
      isZero: digit === 0 && reading.isZero,
      compared: reading.compared.map((one) => decided(one, digit, one.other.fraction[at] ?? '0')),
      divided: dividedWith(reading, digit),
    }
  }

  #isComplete(reading: Reading): boolean {
    if (reading.whole === 0 || reading.decimals === 0) return false
    if (reading.isNegative && reading.isZero) return false
    if (this.#isInteger !== undefined && this.#isInteger === reading.hasFraction) return false
    const compared = reading.decimals === -1 ? comparedWhole(reading) : reading.compared
    return (
      compared.every((one) => one.other.isMet(orderOf(one, reading))) &&
      reading.divided.every((one) => isMultiple(one, reading) === one.by.isWanted)
    )
  }
}

function keyOf({ isNegative, whole, decimals, hasFraction, isZero, compared, divided }: Reading): string {
  const orders = compared.map(({ order }) => order).join()
  const remainders = divided.map(({ remainder }) => remainder).join()
  return `${isNegative} ${whole} ${decimals} ${hasFraction} ${isZero} ${orders} ${remainders}`
}

// A digit other than 0 after all decimals of the divisor: never a multiple.
function dividedWith({ divided, decimals }: Reading, digit: number): Divided[] {
  return divided.map(({ by, remainder }) => {
    if (decimals >= by.decimals) return { by, remainder: digit === 0 ? remainder : NO_MULTIPLE }
    return { by, remainder: (remainder * 10 + digit) % by.scaled }
  })
}

// Without zeros at the beginning, more digits make a larger number.
function comparedWhole({ whole, compared }: Reading): Compared[] {
  const digits = Math.abs(whole)
  return compared.map(({ other, order }) => ({ other, order: Math.sign(digits - other.whole.length) || order }))
}

/** How the number compares with another one, signs included. */
function orderOf({ other, order }: Compared, reading: Reading): number {
  if (other.isNegative !== reading.isNegative) return reading.isNegative ? -1 : 1
  const rest = other.fraction.slice(Math.max(0, reading.decimals))
  const size = order || (rest === '' ? 0 : -1)
  return reading.isNegative ? -size : size
}

function isMultiple({ by, remainder }: Divided, { decimals }: Reading): boolean {
  let left = remainder
  for (let count = Math.max(0, decimals); count < by.decimals; count++) left = (left * 10) % by.scaled
  return left === 0
}

/** Whether the number is the bound itself, which is inside. */
function isOn({ isExclusive }: Bound, order: number): boolean {
  return order === 0 && !isExclusive
}

/** The first digit that differs decides. */
function decided(compared: Compared, digit: number, other: string | undefined): Compared {
  if (compared.order !== 0 || other === undefined || digit === Number(other)) return compared
  return { other: compared.other, order: Math.sign(digit - Number(other)) }
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
