// Numbers as exact decimals: floating-point arithmetic would move bounds by a digit.

export interface Decimal {
  /** The value times ten to the power of `decimals`. */
  scaled: bigint
  decimals: number
}

export function toDecimal(value: number): Decimal {
  const [mantissa = '0', exponent = '0'] = String(value).split('e')
  const [whole = '0', fraction = ''] = mantissa.split('.')
  const power = Number(exponent)
  const digits = BigInt(whole + fraction)
  const decimals = fraction.length - power
  return decimals >= 0 ? { scaled: digits, decimals } : { scaled: digits * 10n ** BigInt(-decimals), decimals: 0 }
}
