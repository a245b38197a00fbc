// How much text can fit into a context, without a look at its tokens. Each token stands for a limited number of characters, so a text with more
// characters than all tokens of the context could hold can't fit.

import type { Native } from '../native/native.ts'
import { createTokenBytes } from '../native/token-bytes.ts'

/** In UTF-16 code units; infinite if the vocabulary can't tell. */
export interface TextRoom {
  /** White space doesn't count, because templates trim it. Neither does U+2581, which stands for a space in many vocabularies. */
  characters: number
  /** Everything counts: only for a text that is tokenized as it is. */
  length: number
}

const SPACE = 0x20
const BYTES = Array.from({ length: 256 }, (_, byte) => byte)
/** No UTF-8 text has the others. */
const USED = BYTES.filter((byte) => byte !== 0xc0 && byte !== 0xc1 && byte <= 0xf4)
/** In UTF-16 code units. */
const PIECE = 1 << 20
const UNKNOWN: TextRoom = { characters: Number.POSITIVE_INFINITY, length: Number.POSITIVE_INFINITY }

/**
 * SentencePiece's and byte pair vocabularies take a text as it is, and what is in no other token becomes bytes, if each byte has a token.
 * Unigram and word piece vocabularies normalize a text first, or turn a word of any length into one unknown token. A code unit takes at least
 * one byte, so tokens are measured in bytes.
 */
export function textRoom({ vocabulary, contextLength }: Pick<Native, 'vocabulary' | 'contextLength'>): TextRoom {
  if (!vocabulary.keepsText) return UNKNOWN
  const bytes = createTokenBytes(vocabulary)
  const alone = new Set<number | undefined>()
  const longest = { characters: 0, length: 0 }
  for (let token = 0; token < vocabulary.size; token++) {
    const raw = bytes.raw(token)
    if (raw.length === 1) alone.add(raw[0])
    if (raw.length > longest.characters)
      longest.characters = Math.max(longest.characters, raw.filter((byte) => byte > SPACE).length)
    longest.length = Math.max(longest.length, vocabulary.strips(token) ? Number.POSITIVE_INFINITY : raw.length)
  }
  if (!USED.every((byte) => alone.has(byte))) return UNKNOWN
  return { characters: contextLength * longest.characters, length: contextLength * longest.length }
}

/** Whether the texts have more characters than this. */
export function isLongerThan(texts: readonly string[], most: number): boolean {
  for (const left of roomLeft(texts, most)) if (left < 0) return true
  return false
}

/** Counts for a few milliseconds at a time and yields how much room is left, so that the caller can do something else in between. */
export function* roomLeft(texts: readonly string[], most: number): Generator<number, void> {
  let [left, looked] = [most, 0]
  if (texts.reduce((sum, { length }) => sum + length, 0) <= most) return
  for (const text of texts)
    for (let begin = 0; begin < text.length; begin += PIECE) {
      const end = Math.min(begin + PIECE, text.length)
      left -= charactersIn(text, begin, end)
      looked += end - begin
      if (left >= 0 && looked < PIECE) continue
      looked = 0
      yield left
    }
}

function charactersIn(text: string, begin: number, end: number): number {
  let count = 0
  for (let at = begin; at < end; at++) if (!isBlank(text.charCodeAt(at))) count += 1
  return count
}

/** A few more than are white space would do no harm. */
function isBlank(code: number): boolean {
  if (code < 0x1680) return code <= SPACE || code === 0x85 || code === 0xa0
  if (code >= 0x2000 && code < 0x2070) return true
  return code === 0x1680 || code === 0x2581 || code === 0x3000 || code === 0xfeff
}
