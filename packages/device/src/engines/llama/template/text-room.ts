// How much text can fit into a context, without a look at its tokens. Each token stands for a limited number of characters, so a text with more
// characters than all tokens of the context could hold can't fit.
//
// White space doesn't count: templates trim it, and some tokens swallow what is around them. Neither does U+2581, which stands for a space in
// many vocabularies. Of all other characters, no tokenizer may drop one: see `longestToken`.

import type { Native, Vocabulary } from '../native/native.ts'
import { createTokenBytes } from '../native/token-bytes.ts'

const SPACE = 0x20
/** Bytes that never occur in UTF-8. */
const isUnused = (byte: number): boolean => byte === 0xc0 || byte === 0xc1 || byte > 0xf4

/** The most characters that may fit into a context, white space not counted. Infinite if the vocabulary can't tell. */
export function textRoom({ vocabulary, contextLength }: Pick<Native, 'vocabulary' | 'contextLength'>): number {
  return contextLength * longestToken(vocabulary)
}

/**
 * In bytes, of which a UTF-16 code unit takes at least one. SentencePiece's and byte pair vocabularies take a text as it is, and what is in no
 * other token becomes bytes, if each byte has a token. Unigram and word piece vocabularies normalize a text first, or turn a word of any
 * length into one unknown token.
 */
function longestToken(vocabulary: Vocabulary): number {
  if (!vocabulary.keepsText) return Number.POSITIVE_INFINITY
  const bytes = createTokenBytes(vocabulary)
  const alone = new Set<number>()
  let longest = 0
  for (let token = 0; token < vocabulary.size; token++) {
    const raw = bytes.raw(token)
    if (raw.length === 1) alone.add(raw[0]!)
    if (raw.length > longest) longest = Math.max(longest, raw.filter((byte) => byte > SPACE).length)
  }
  const isComplete = Array.from({ length: 256 }, (_, byte) => byte).every((byte) => isUnused(byte) || alone.has(byte))
  return isComplete ? longest : Number.POSITIVE_INFINITY
}

/** Whether the texts have more characters than this. Looks at no more of them than it has to. */
export function isLongerThan(texts: readonly string[], most: number): boolean {
  let left = most
  if (texts.reduce((sum, { length }) => sum + length, 0) <= left) return false
  for (const text of texts)
    for (let at = 0; at < text.length; at++) if (!isBlank(text.charCodeAt(at)) && --left < 0) return true
  return false
}

/** A few more than are white space would do no harm. */
function isBlank(code: number): boolean {
  if (code < 0x1680) return code <= SPACE || code === 0x85 || code === 0xa0
  if (code >= 0x2000 && code < 0x2070) return true
  return code === 0x1680 || code === 0x2581 || code === 0x3000 || code === 0xfeff
}
