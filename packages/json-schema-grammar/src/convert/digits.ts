// The digits that numbers are written with.

import { characters } from '../grammar/expression.ts'

export const DIGIT = characters([0x30, 0x39])
/** Integers with up to fifteen digits are exact in every language; no larger ones are written. */
export const MAX_WHOLE = 15
export const MAX_DECIMALS = 16
