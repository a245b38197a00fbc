// The named character classes of regular expressions.

import { invertRanges, type CharacterRange } from '../grammar/expression.ts'

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

/** The blocks that consist of nothing but pictographs. */
const PICTOGRAPHS: readonly CharacterRange[] = [
  [0x1_f3_24, 0x1_f3_93],
  [0x1_f4_00, 0x1_f4_fc],
  [0x1_f5_fb, 0x1_f6_4f],
  [0x1_f6_80, 0x1_f6_c5],
  [0x1_f9_47, 0x1_f9_ff],
]

const EMOJI_CLASSES: Readonly<Record<string, readonly CharacterRange[]>> = {
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

/**
 * The characters of Western texts: Latin-1, dashes, quotation marks and the euro sign. Of other
 * Unicode classes, only these are taken: stricter than the pattern, never looser, and cheap to
 * compare with.
 */
const WESTERN: readonly CharacterRange[] = [
  [0, 0xff],
  [0x20_10, 0x20_27],
  [0x20_ac, 0x20_ac],
]

const known = new Map<string, readonly CharacterRange[]>()

/** Some characters of a class like \p{L}; undefined if there is no such class. */
export function unicodeClass(name: string): readonly CharacterRange[] | undefined {
  return Object.hasOwn(EMOJI_CLASSES, name) ? EMOJI_CLASSES[name] : westernClass(name)
}

/** Every Western character of a class. */
export function westernClass(name: string): readonly CharacterRange[] | undefined {
  const ranges = known.get(name) ?? westernIn(name)
  // There are a few dozen classes, so all of them can stay.
  if (ranges !== undefined) known.set(name, ranges)
  return ranges
}

/** The ranges without all characters whose class isn't known. */
export function withinWestern(ranges: readonly CharacterRange[]): readonly CharacterRange[] {
  return invertRanges([...invertRanges(ranges), ...invertRanges(WESTERN)])
}

function westernIn(name: string): readonly CharacterRange[] | undefined {
  let member: RegExp
  try {
    member = new RegExp(`\\p{${name}}`, 'u')
  } catch {
    // The name comes from a schema, and is no class.
    return undefined
  }
  const codes = WESTERN.flatMap(([from, to]) => Array.from({ length: to - from + 1 }, (_, index) => from + index))
  const members = codes.filter((code) => member.test(String.fromCodePoint(code)))
  return invertRanges(invertRanges(members.map((code): CharacterRange => [code, code])))
}
