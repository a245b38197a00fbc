// Numbers between bounds. A grammar has no arithmetic, so a range becomes digits: 7 to 123 is [7-9] | [1-9] [0-9] | "1" ([01] [0-9] |
// "2" [0-3]). Fractions work the same way, with a point before the last digits.

import { EMPTY, characters, choice, literal, repeat, sequence, type Expression } from '../grammar/expression.ts'
import type { GrammarRules } from '../grammar/grammar-rules.ts'
import type { SchemaObject } from './schema-object.ts'
import { anyInteger, anyNumber } from './json-text.ts'
import { NothingFits, SchemaError } from './schema-error.ts'

/** Integers with up to fifteen digits are exact in every language; no larger ones are generated. */
const LARGEST = 10n ** 15n - 1n
const MAX_DECIMALS = 6

interface Decimal {
  /** The value times ten to the power of `decimals`. */
  scaled: bigint
  decimals: number
}

export function numberExpression(
  schema: SchemaObject,
  type: 'integer' | 'number',
  path: string,
  rules: GrammarRules,
): Expression {
  const isWhole = type === 'integer' || schema['multipleOf'] === 1
  checkMultiple(schema, isWhole, path)
  const bounds = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'].some(
    (name) => schema[name] !== undefined,
  )
  if (!bounds) return isWhole ? anyInteger(rules) : anyNumber(rules)
  const options = decimalsFor(schema, isWhole).flatMap((decimals) => {
    const range = rangeWith(schema, decimals, path)
    return range.low > range.high ? [] : [signedRange(range.low, range.high, decimals)]
  })
  if (options.length === 0) throw new NothingFits(path, 'no number is between "minimum" and "maximum"')
  return choice(...options)
}

function checkMultiple(schema: SchemaObject, isWhole: boolean, path: string): void {
  const multiple = schema['multipleOf']
  if (multiple !== undefined && !(isWhole && multiple === 1))
    throw new SchemaError(path, `"multipleOf" can't be enforced`)
}

// Integers always; fractions with one to three digits, or as many as the bounds have.
function decimalsFor(schema: SchemaObject, isWhole: boolean): number[] {
  if (isWhole) return [0]
  const most = Math.max(
    3,
    ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'].map((name) => {
      const bound = schema[name]
      return typeof bound === 'number' ? toDecimal(bound).decimals : 0
    }),
  )
  return Array.from({ length: Math.min(most, MAX_DECIMALS) + 1 }, (_, decimals) => decimals)
}

function rangeWith(schema: SchemaObject, decimals: number, path: string): { low: bigint; high: bigint } {
  const limit = LARGEST * 10n ** BigInt(decimals)
  const bound = (name: string, isLow: boolean, isExclusive: boolean): bigint[] => {
    const value = schema[name]
    if (value === undefined || (isExclusive && value === false)) return []
    if (typeof value !== 'number' || !Number.isFinite(value)) throw new SchemaError(path, `"${name}" must be a number`)
    return [scale(toDecimal(value), decimals, isLow, isExclusive)]
  }
  const lows = [...bound('minimum', true, false), ...bound('exclusiveMinimum', true, true), -limit]
  const highs = [...bound('maximum', false, false), ...bound('exclusiveMaximum', false, true), limit]
  return { low: lows.reduce((a, b) => (a > b ? a : b)), high: highs.reduce((a, b) => (a < b ? a : b)) }
}

/** The nearest number inside the bound with this many decimals. */
function scale({ scaled, decimals: own }: Decimal, decimals: number, isLow: boolean, isExclusive: boolean): bigint {
  const factor = 10n ** BigInt(Math.abs(decimals - own))
  if (decimals >= own) return scaled * factor + (isExclusive ? (isLow ? 1n : -1n) : 0n)
  const down = scaled / factor - (scaled % factor < 0n ? 1n : 0n)
  const isExact = down * factor === scaled
  if (isLow) return isExact && !isExclusive ? down : down + 1n
  return isExact && isExclusive ? down - 1n : down
}

function toDecimal(value: number): Decimal {
  const [mantissa = '0', exponent = '0'] = String(value).split('e')
  const [whole = '0', fraction = ''] = mantissa.split('.')
  const power = Number(exponent)
  const digits = BigInt(whole + fraction)
  const decimals = fraction.length - power
  return decimals >= 0 ? { scaled: digits, decimals } : { scaled: digits * 10n ** BigInt(-decimals), decimals: 0 }
}

function signedRange(low: bigint, high: bigint, decimals: number): Expression {
  const options: Expression[] = []
  if (high >= 0n) options.push(unsignedRange(low > 0n ? low : 0n, high, decimals))
  if (low < 0n) options.push(sequence('-', unsignedRange(high < 0n ? -high : 1n, -low, decimals)))
  return choice(...options)
}

/** One option per number of digits: numbers of the same length sort like text. */
function unsignedRange(low: bigint, high: bigint, decimals: number): Expression {
  const options: Expression[] = []
  const digits = (value: bigint) => value.toString().padStart(decimals + 1, '0')
  for (let from = low; from <= high;) {
    const { length } = digits(from)
    const last = 10n ** BigInt(length) - 1n
    const to = last < high ? last : high
    options.push(sameLength(digits(from), digits(to), decimals))
    from = to + 1n
  }
  return choice(...options)
}

/** All digit strings of one length from `low` to `high`, with a point before the last `decimals` digits. */
function sameLength(low: string, high: string, decimals: number): Expression {
  const { length } = low
  if (length === 0) return EMPTY
  const point = length === decimals && decimals > 0 ? literal('.') : EMPTY
  const [first, last] = [Number(low[0]), Number(high[0])]
  if (first === last) return sequence(point, low[0]!, sameLength(low.slice(1), high.slice(1), decimals))
  const rest = length - 1
  const isFromZeros = low.slice(1) === '0'.repeat(rest)
  const isToNines = high.slice(1) === '9'.repeat(rest)
  const options: Expression[] = []
  if (!isFromZeros) options.push(sequence(low[0]!, sameLength(low.slice(1), '9'.repeat(rest), decimals)))
  const [from, to] = [first + (isFromZeros ? 0 : 1), last - (isToNines ? 0 : 1)]
  if (from <= to) options.push(sequence(characters([0x30 + from, 0x30 + to]), anyDigits(rest, decimals)))
  if (!isToNines) options.push(sequence(high[0]!, sameLength('0'.repeat(rest), high.slice(1), decimals)))
  return sequence(point, choice(...options))
}

function anyDigits(count: number, decimals: number): Expression {
  const digit = characters([0x30, 0x39])
  const before = Math.max(0, count - decimals)
  if (decimals === 0 || count < decimals) return times(digit, count)
  return sequence(times(digit, before), '.', times(digit, decimals))
}

function times(part: Expression, count: number): Expression {
  return count === 0 ? EMPTY : repeat(part, count, count)
}
