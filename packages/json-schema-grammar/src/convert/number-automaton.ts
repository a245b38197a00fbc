// Numbers that can't be written as a range: multiples, numbers that are left out, fractions. The automaton reads the digits and keeps what
// it needs to know at the end: how the number compares with bounds, and what remains of a division.

import type { Alphabet } from '../language/alphabet.ts'
import { NOWHERE, explore, type Automaton } from '../language/automaton.ts'
import { PatternError } from '../language/language.ts'
import { minimize } from '../language/minimize.ts'
import { toDecimal } from '../shape/decimal.ts'
import type { NumberShape } from '../shape/shape.ts'

const MAX_WHOLE = 15
const MAX_DECIMALS = 16
/** An automaton has a state for each remainder. */
const MAX_REMAINDERS = 1000
/** Before states are merged, there is one for each remainder and each number of digits. */
const MAX_STATES = 4000

/** The digits 0 to 9, then the point, then the sign. */
const ALPHABET: Alphabet = {
  starts: [0, 0x2d, 0x2e, 0x2f, ...Array.from({ length: 10 }, (_, digit) => 0x30 + digit), 0x3a],
  letters: [-1, 11, 10, -1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, -1],
  size: 12,
}
const NO_MULTIPLE = -1
const POINT = 10
const SIGN = 11

interface Reading {
  isNegative: boolean
  /** Digits before the point; -1 for a lone zero, after which there are no more. */
  whole: number
  /** Digits after the point; -1 before it. */
  decimals: number
  /** Whether a digit other than 0 came after the point. */
  hasFraction: boolean
  isZero: boolean
  /** Per number to compare with: whether the digits so far are smaller (-1), equal (0) or larger (1). */
  compared: readonly number[]
  /** Per divisor: what remains of the digits so far. */
  remainders: readonly number[]
}

interface Comparison {
  isNegative: boolean
  whole: string
  fraction: string
}

interface Divisor {
  /** The divisor times ten to the power of `decimals`. */
  scaled: number
  decimals: number
}

export function numberAutomaton(shape: NumberShape): Automaton {
  return minimize(new NumberReader(shape).automaton())
}

class NumberReader {
  readonly #shape: NumberShape
  readonly #comparisons: readonly Comparison[]
  readonly #divisors: readonly Divisor[]
  readonly #keys = new Map<string, number>()
  readonly #readings: Reading[] = []
  readonly #maxDecimals: number

  constructor(shape: NumberShape) {
    this.#shape = shape
    const bounds = [shape.low, shape.high].flatMap((bound) => (bound === undefined ? [] : [bound.value]))
    this.#comparisons = [...bounds, ...shape.excluded].map(toComparison)
    this.#divisors = [...shape.multiples, ...shape.notMultiples].map(toDivisor)
    const decimals = this.#divisors.slice(0, shape.multiples.length).map((divisor) => divisor.decimals)
    this.#maxDecimals = shape.isInteger === true ? 0 : Math.min(MAX_DECIMALS, ...decimals)
  }

  automaton(): Automaton {
    const start: Reading = {
      isNegative: false,
      whole: 0,
      decimals: -1,
      hasFraction: false,
      isZero: true,
      compared: this.#comparisons.map(() => 0),
      remainders: this.#divisors.map(() => 0),
    }
    return explore(
      ALPHABET,
      this.#keyOf(start),
      (key) => this.#isComplete(this.#readings[key]!),
      (key, letter) => {
        const next = this.#read(this.#readings[key]!, letter)
        return next === undefined ? NOWHERE : this.#keyOf(next)
      },
      MAX_STATES,
    )
  }

  #keyOf(reading: Reading): number {
    const text = JSON.stringify(Object.values(reading))
    let key = this.#keys.get(text)
    if (key === undefined) {
      this.#keys.set(text, (key = this.#readings.length))
      this.#readings.push(reading)
    }
    return key
  }

  #read(reading: Reading, letter: number): Reading | undefined {
    if (letter === SIGN) {
      const isFirst = reading.whole === 0 && !reading.isNegative && reading.decimals === -1
      return isFirst ? { ...reading, isNegative: true } : undefined
    }
    if (letter === POINT) {
      const isAllowed = reading.whole !== 0 && reading.decimals === -1 && this.#maxDecimals > 0
      return isAllowed ? { ...reading, decimals: 0, ...this.#atPoint(reading) } : undefined
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
      compared: reading.compared.map(
        (order, index) => order || compareDigit(digit, this.#comparisons[index]!.whole[whole]),
      ),
      remainders: this.#dividedBy(reading, digit),
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
      compared: reading.compared.map(
        (order, index) => order || compareDigit(digit, this.#comparisons[index]!.fraction[at] ?? '0'),
      ),
      remainders: this.#dividedBy(reading, digit),
    }
  }

  // A digit other than 0 after all decimals of the divisor: never a multiple.
  #dividedBy({ remainders, decimals }: Reading, digit: number): number[] {
    return remainders.map((remainder, index) => {
      const divisor = this.#divisors[index]!
      if (decimals >= divisor.decimals) return digit === 0 ? remainder : NO_MULTIPLE
      return (remainder * 10 + digit) % divisor.scaled
    })
  }

  // Without zeros at the beginning, more digits make a larger number.
  #atPoint({ whole, compared }: Reading): { compared: number[]; whole: number } {
    const digits = Math.abs(whole)
    return {
      whole: 1,
      compared: compared.map((order, index) => Math.sign(digits - this.#comparisons[index]!.whole.length) || order),
    }
  }

  #isComplete(reading: Reading): boolean {
    if (reading.whole === 0 || reading.decimals === 0) return false
    if (reading.isNegative && reading.isZero) return false
    const { isInteger, low, high, multiples } = this.#shape
    if (isInteger !== undefined && isInteger === reading.hasFraction) return false
    const orders = this.#orders(reading)
    const isLowMet = low === undefined || orders[0]! > 0 || (orders[0] === 0 && !low.isExclusive)
    const highOrder = orders[low === undefined ? 0 : 1]!
    const isHighMet = high === undefined || highOrder < 0 || (highOrder === 0 && !high.isExclusive)
    const bounds = Number(low !== undefined) + Number(high !== undefined)
    const isMultiple = this.#divisors.map((divisor, index) => isDivided(reading, divisor, index))
    return (
      isLowMet &&
      isHighMet &&
      orders.slice(bounds).every((order) => order !== 0) &&
      isMultiple.every((isDivided, index) => isDivided === index < multiples.length)
    )
  }

  /** How the number compares with each of the others, signs included. */
  #orders(reading: Reading): number[] {
    const compared = reading.decimals === -1 ? this.#atPoint(reading).compared : reading.compared
    return compared.map((order, index) => {
      const { isNegative, fraction } = this.#comparisons[index]!
      if (isNegative !== reading.isNegative) return reading.isNegative ? -1 : 1
      const rest = fraction.slice(Math.max(0, reading.decimals))
      const whole = order || (rest === '' ? 0 : -1)
      return reading.isNegative ? -whole : whole
    })
  }
}

function isDivided({ decimals, remainders }: Reading, divisor: Divisor, index: number): boolean {
  let remainder = remainders[index]!
  for (let count = Math.max(0, decimals); count < divisor.decimals; count++)
    remainder = (remainder * 10) % divisor.scaled
  return remainder === 0
}

function compareDigit(digit: number, other: string | undefined): number {
  return other === undefined ? 0 : Math.sign(digit - Number(other))
}

function toComparison(value: number): Comparison {
  const { scaled, decimals } = toDecimal(Math.abs(value))
  const digits = scaled.toString().padStart(decimals + 1, '0')
  const point = digits.length - decimals
  return { isNegative: value < 0, whole: digits.slice(0, point), fraction: digits.slice(point).replace(/0+$/, '') }
}

function toDivisor(value: number): Divisor {
  const { scaled, decimals } = toDecimal(value)
  if (scaled > MAX_REMAINDERS) throw new PatternError(`can't be enforced with more than ${MAX_REMAINDERS} remainders`)
  return { scaled: Number(scaled), decimals }
}
