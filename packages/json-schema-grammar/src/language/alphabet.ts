// Groups characters that a language never tells apart, so that automata have a few transitions per state instead of a million.

import { invertRanges, type CharacterRange } from '../grammar/expression.ts'
import type { Language } from './language.ts'

const END = 0x11_00_00

/** Characters that JSON.stringify writes as \u00…, and halves of characters. No grammar writes them. */
const UNWRITABLE: readonly CharacterRange[] = [
  [0, 7],
  [0x0b, 0x0b],
  [0x0e, 0x1f],
  [0x7f, 0x7f],
  [0xd8_00, 0xdf_ff],
]

export interface Alphabet {
  /** Where each interval of code points starts, ascending from 0. */
  readonly starts: readonly number[]
  /** The letter that each interval belongs to; -1 if its characters are never written. */
  readonly letters: readonly number[]
  readonly size: number
}

/** The smallest alphabet in which every character class of `language` is a set of letters. */
export function alphabetOf(language: Language): Alphabet {
  const sets = [UNWRITABLE, ...collectRanges(language, new Map()).values()]
  const starts = [...new Set([0, ...sets.flat().flatMap(([from, to]) => [from, to + 1])])]
    .filter((start) => start < END)
    .sort((a, b) => a - b)
  const signatures = starts.map(() => '')
  sets.forEach((ranges, index) => markIntervals(ranges, starts, signatures, index))
  const known = new Map<string, number>()
  const letters = signatures.map((signature) => {
    if (signature.startsWith('0,')) return -1
    if (!known.has(signature)) known.set(signature, known.size)
    return known.get(signature)!
  })
  return { starts, letters, size: known.size }
}

function markIntervals(
  ranges: readonly CharacterRange[],
  starts: readonly number[],
  signatures: string[],
  index: number,
): void {
  for (const [from, to] of ranges)
    for (let at = indexOfInterval(starts, from); at < starts.length && starts[at]! <= to; at++)
      signatures[at] += `${index},`
}

function collectRanges(
  language: Language,
  found: Map<string, readonly CharacterRange[]>,
): Map<string, readonly CharacterRange[]> {
  switch (language.type) {
    case 'characters':
      // Merged, so that overlapping ranges don't mark an interval twice.
      found.set(language.ranges.join(' '), invertRanges(invertRanges(language.ranges)))
      break
    case 'sequence':
    case 'all':
      for (const part of language.parts) collectRanges(part, found)
      break
    case 'choice':
      for (const option of language.options) collectRanges(option, found)
      break
    case 'repeat':
    case 'not':
      collectRanges(language.part, found)
      break
    case 'none':
    case 'empty':
    case 'length':
      break
    default:
      language satisfies never
  }
  return found
}

/** The interval that holds a code point. */
function indexOfInterval(starts: readonly number[], code: number): number {
  let [low, high] = [0, starts.length - 1]
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (starts[middle]! <= code) low = middle
    else high = middle - 1
  }
  return low
}

export function letterOf(alphabet: Alphabet, code: number): number {
  return alphabet.letters[indexOfInterval(alphabet.starts, code)]!
}

/** The letters of a character class that was part of the language the alphabet was made for. */
export function lettersIn(alphabet: Alphabet, ranges: readonly CharacterRange[]): number[] {
  const found = new Set<number>()
  for (const [from, to] of ranges)
    for (
      let at = indexOfInterval(alphabet.starts, from);
      at < alphabet.starts.length && alphabet.starts[at]! <= to;
      at++
    )
      if (alphabet.letters[at] !== -1) found.add(alphabet.letters[at]!)
  return [...found]
}

/** The characters of some letters. */
export function rangesOf(alphabet: Alphabet, letters: ReadonlySet<number>): CharacterRange[] {
  const ranges: [number, number][] = []
  alphabet.letters.forEach((letter, index) => {
    if (!letters.has(letter)) return
    const [from, to] = [alphabet.starts[index]!, (alphabet.starts[index + 1] ?? END) - 1]
    const last = ranges.at(-1)
    if (last !== undefined && last[1] === from - 1) last[1] = to
    else ranges.push([from, to])
  })
  return ranges
}
