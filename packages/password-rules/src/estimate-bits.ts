// How many guesses someone needs who knows how people choose passwords, as a power of two. A
// password is read as words that everyone uses, years, runs such as abc or 111, and single
// characters; the cheapest reading counts.

import { COMMON_PASSWORDS } from './common-passwords.ts'

const LONGEST_WORD = Math.max(...Array.from(COMMON_PASSWORDS, ({ length }) => length))
const SHORTEST_WORD = 3
const WORD_BITS = Math.log2(COMMON_PASSWORDS.size)
/** About a hundred of them are likely. */
const YEAR_BITS = 7
const YEAR = /^(?:19|20)\d\d$/
/** The next character of a run: it goes on, or it doesn't. */
const RUN_BITS = 1

/** Between words, everyone expects it. */
const SPACE_BITS = 1

/** Letters that people replace with characters that look similar. */
const LOOKALIKES: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'l',
  '!': 'i',
  '3': 'e',
  '4': 'a',
  '@': 'a',
  '5': 's',
  $: 's',
  '7': 't',
}

export function estimateBits(password: string): number {
  const text = password.toLowerCase()
  const plain = withoutLookalikes(text)
  /** For each length, the bits of the password's beginning. */
  const bits = [0]
  for (let end = 1; end <= text.length; end++) {
    let best = (bits[end - 1] ?? 0) + characterBits(text, end - 1)
    for (let start = Math.max(0, end - LONGEST_WORD); start <= end - SHORTEST_WORD; start++)
      best = Math.min(best, (bits[start] ?? 0) + pieceBits(text.slice(start, end), plain.slice(start, end)))
    bits.push(best)
  }
  return bits[text.length] ?? 0
}

export function withoutLookalikes(text: string): string {
  return Array.from({ length: text.length }, (_, at) => LOOKALIKES[text.charAt(at)] ?? text.charAt(at)).join('')
}

function pieceBits(piece: string, plain: string): number {
  if (COMMON_PASSWORDS.has(piece) || COMMON_PASSWORDS.has(plain)) return WORD_BITS
  return YEAR.test(piece) ? YEAR_BITS : Infinity
}

function characterBits(text: string, at: number): number {
  const step = text.charCodeAt(at) - text.charCodeAt(at - 1)
  if (Math.abs(step) <= 1) return RUN_BITS
  const character = text.charAt(at)
  if (character === ' ') return SPACE_BITS
  if (/\d/.test(character)) return Math.log2(10)
  return Math.log2(/[a-z]/.test(character) ? 26 : 64)
}
