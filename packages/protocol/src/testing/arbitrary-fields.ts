import fc, { type Arbitrary } from 'fast-check'
import { MAX_TOKEN_ID } from '../limits.ts'

/** Every UTF-16 unit, lone surrogates included: a token may hold half a character. */
export const text = fc
  .array(fc.oneof(fc.integer({ min: 0, max: 0xffff }), fc.integer({ min: 32, max: 126 })), { maxLength: 40 })
  .map((units) => String.fromCharCode(...units))

export const count = fc.nat({ max: Number.MAX_SAFE_INTEGER })
export const tokenId = fc.nat({ max: MAX_TOKEN_ID })

/** Keys in base64url. */
export const keyOf = (bytes: number): Arbitrary<string> =>
  fc.uint8Array({ minLength: bytes, maxLength: bytes }).map((key) => Buffer.from(key).toString('base64url'))

/** Without the values that JSON cannot carry; adding zero makes a negative zero positive. */
export const decimal = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0)

type Fields<Values> = { [Name in keyof Values]: Arbitrary<Values[Name]> }

/** An object as JSON.parse makes it; optional fields are present or absent, never undefined. */
export function record<Required, Optional = unknown>(
  required: Fields<Required>,
  optional?: Fields<Optional>,
): Arbitrary<Required & Partial<Optional>> {
  const fields: Record<string, Arbitrary<unknown>> = { ...required, ...optional }
  const made = fc.record(fields, { requiredKeys: Object.keys(required), noNullPrototype: true })
  return made as Arbitrary<unknown> as Arbitrary<Required & Partial<Optional>>
}
