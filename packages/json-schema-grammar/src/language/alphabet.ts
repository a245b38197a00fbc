// Groups characters that a language never tells apart, so that automata have a few transitions per
// state instead of a million.

import { invertRanges, type CharacterRange } from '../grammar/expression.ts'
import type { Language } from './language.ts'
import { EMPTY_LIST, NumberLists } from '../grammar/number-lists.ts'

const END = 0x11_00_00

/**
 * Characters that JSON.stringify writes as \u00…, and halves of characters. No grammar writes them.
 */
const UNWRITABLE: readonly CharacterRange[] = [
  [0, 7],
  [0x0b, 0x0b],
  [0x0e, 0x1f],
  [0x7f, 0x7f],
  [0xd8_00, 0xdf_ff],
]

export const NO_LETTER = -1

/** Code points from `from` to `to`, both included. */
export interface Interval {
  readonly from: number
  readonly to: number
  /** NO_LETTER if the characters are never written. */
  readonly letter: number
}

export interface Alphabet {
  /** Every code point is in one of them, in ascending order. */
  readonly intervals: readonly Interval[]
  readonly size: number
}

/** The smallest alphabet in which every character class of `language` is a set of letters. */
export function alphabetOf(language: Language): Alphabet {
  const sets = [UNWRITABLE, ...collectRanges(language, new Map()).values()]
  const signed = signedIntervals(sets)
  const letters = new Map<string, number>()
  for (const { signature } of signed)
    if (!signature.startsWith('0,') && !letters.has(signature)) letters.set(signature, letters.size)
  const intervals = signed.map(({ from, to, signature }) => ({ from, to, letter: letters.get(signature) ?? NO_LETTER }))
  return { intervals, size: letters.size }
}

/**
 * Intervals between the ends of all ranges. The signature lists the sets that an interval is in.
 */
function signedIntervals(
  sets: readonly (readonly CharacterRange[])[],
): { from: number; to: number; signature: string }[] {
  const starts = [...new Set([0, ...sets.flat().flatMap(([from, to]) => [from, to + 1])])]
    .filter((start) => start < END)
    .sort((a, b) => a - b)
  const signed = starts.map((from, index) => ({ from, to: (starts[index + 1] ?? END) - 1, signature: '' }))
  sets.forEach((ranges, index) => {
    for (const range of ranges) for (const interval of intervalsIn(signed, range)) interval.signature += `${index},`
  })
  return signed
}

function collectRanges(
  language: Language,
  found: Map<string, readonly CharacterRange[]>,
): Map<string, readonly CharacterRange[]> {
  switch (language.type) {
    case 'characters': {
      const key = language.ranges.join(' ')
      // Merged, so that overlapping ranges don't mark an interval twice.
      if (!found.has(key)) found.set(key, invertRanges(invertRanges(language.ranges)))
      break
    }
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

/** The intervals that a range consists of. */
function intervalsIn<Any extends { from: number }>(intervals: readonly Any[], [from, to]: CharacterRange): Any[] {
  return intervals.slice(indexOfInterval(intervals, from), indexOfInterval(intervals, to) + 1)
}

/** The index of the interval that holds a code point. */
function indexOfInterval(intervals: readonly { from: number }[], code: number): number {
  let [low, high] = [0, intervals.length - 1]
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (intervals[middle]!.from <= code) low = middle
    else high = middle - 1
  }
  return low
}

export function letterOf({ intervals }: Alphabet, code: number): number {
  return intervals[indexOfInterval(intervals, code)]?.letter ?? NO_LETTER
}

/** The letters of a character class that was part of the language the alphabet was made for. */
export function lettersIn({ intervals }: Alphabet, ranges: readonly CharacterRange[]): number[] {
  const found = new Set<number>()
  for (const range of ranges) for (const { letter } of intervalsIn(intervals, range)) found.add(letter)
  found.delete(NO_LETTER)
  return [...found]
}

/** The characters of some letters. */
export function charactersOf({ intervals }: Alphabet, letters: ReadonlySet<number>): CharacterRange[] {
  const ranges: [number, number][] = []
  for (const { from, to, letter } of intervals) {
    if (!letters.has(letter)) continue
    const last = ranges.at(-1)
    if (last !== undefined && last[1] === from - 1) last[1] = to
    else ranges.push([from, to])
  }
  return ranges
}

/**
 * Tells apart what any of some alphabets tells apart. `origins` says for each of them which of its
 * letters each new one comes from.
 */
export function commonAlphabet(alphabets: readonly Alphabet[]): { alphabet: Alphabet; origins: readonly number[][] } {
  const starts = new Set(alphabets.flatMap(({ intervals }) => intervals.map(({ from }) => from)))
  const sorted = Int32Array.from(starts).sort()
  const lists = new NumberLists()
  const letters = new Map<number, number>()
  const origins = alphabets.map((): number[] => [])
  const at = alphabets.map(() => 0)
  const intervals = Array.from(sorted, (from, index): Interval => {
    const before = alphabets.map(({ intervals }, place) => {
      if (intervals[at[place]! + 1]?.from === from) at[place]! += 1
      return intervals[at[place]!]!.letter
    })
    const to = (sorted[index + 1] ?? END) - 1
    // What no grammar writes is the same in all alphabets.
    if (before.includes(NO_LETTER)) return { from, to, letter: NO_LETTER }
    const list = before.reduce((all, letter) => lists.extended(all, letter), EMPTY_LIST)
    const letter = letters.get(list) ?? letters.size
    if (letter === letters.size) before.forEach((origin, place) => origins[place]!.push(origin))
    letters.set(list, letter)
    return { from, to, letter }
  })
  return { alphabet: { intervals, size: letters.size }, origins }
}

/**
 * The same characters, with a letter of its own for each of `codes`. `origins` says which letter
 * each new one comes from; NO_LETTER for one of which every character became a letter of its own.
 */
export function splitLetters(
  { intervals, size }: Alphabet,
  codes: ReadonlySet<number>,
): { alphabet: Alphabet; origins: readonly number[] } {
  const origins = Array.from({ length: size }, () => NO_LETTER)
  const sorted = [...codes].toSorted((a, b) => a - b)
  let next = 0
  const separate = intervals.flatMap(({ from, to, letter }): Interval[] => {
    const parts: Interval[] = []
    let begin = from
    for (let code = sorted[next]; code !== undefined && code <= to; code = sorted[++next]) {
      if (letter === NO_LETTER) continue
      if (code > begin) parts.push({ from: begin, to: code - 1, letter })
      parts.push({ from: code, to: code, letter: origins.push(letter) - 1 })
      begin = code + 1
    }
    if (begin <= to) parts.push({ from: begin, to, letter })
    for (const part of parts) if (part.letter === letter && letter !== NO_LETTER) origins[letter] = letter
    return parts
  })
  return { alphabet: { intervals: separate, size: origins.length }, origins }
}
