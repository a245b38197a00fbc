// The named character classes of regular expressions.

import type { CharacterRange } from '../grammar/expression.ts'

export const CLASSES: Readonly<Record<'d' | 'w' | 's' | 'newline', readonly CharacterRange[]>> = {
  d: [[0x30, 0x39]],
  w: [
    [0x30, 0x39],
    [0x41, 0x5a],
    [0x5f, 0x5f],
    [0x61, 0x7a],
  ],
  s: [
    [0x09, 0x0d],
    [0x20, 0x20],
    [0xa0, 0xa0],
    [0x1680, 0x1680],
    [0x2000, 0x200a],
    [0x2028, 0x2029],
    [0x202f, 0x202f],
    [0x205f, 0x205f],
    [0x3000, 0x3000],
    [0xfeff, 0xfeff],
  ],
  newline: [
    [0x0a, 0x0a],
    [0x0d, 0x0d],
    [0x2028, 0x2029],
  ],
}

const UPPER: readonly CharacterRange[] = [
  [0x41, 0x5a],
  [0xc0, 0xd6],
  [0xd8, 0xde],
]
const LOWER: readonly CharacterRange[] = [
  [0x61, 0x7a],
  [0xdf, 0xf6],
  [0xf8, 0xff],
]

/** The blocks that consist of nothing but pictographs. */
const PICTOGRAPHS: readonly CharacterRange[] = [
  [0x1_f3_24, 0x1_f3_93],
  [0x1_f4_00, 0x1_f4_fc],
  [0x1_f5_fb, 0x1_f6_4f],
  [0x1_f6_80, 0x1_f6_c5],
  [0x1_f9_47, 0x1_f9_ff],
]

/** Only the Latin letters and digits of each Unicode class: stricter than the pattern, never looser, and cheap to compare with. */
export const UNICODE_CLASSES: Readonly<Record<string, readonly CharacterRange[]>> = {
  L: [...UPPER, ...LOWER],
  Letter: [...UPPER, ...LOWER],
  Lu: UPPER,
  Uppercase_Letter: UPPER,
  Ll: LOWER,
  Lowercase_Letter: LOWER,
  N: [[0x30, 0x39]],
  Nd: [[0x30, 0x39]],
  Number: [[0x30, 0x39]],
  Extended_Pictographic: PICTOGRAPHS,
  Emoji_Modifier: [[0x1_f3_fb, 0x1_f3_ff]],
  Regional_Indicator: [[0x1_f1_e6, 0x1_f1_ff]],
  Emoji_Component: [
    [0x20_0d, 0x20_0d],
    [0xfe_0f, 0xfe_0f],
    [0x1_f1_e6, 0x1_f1_ff],
    [0x1_f3_fb, 0x1_f3_ff],
  ],
}
