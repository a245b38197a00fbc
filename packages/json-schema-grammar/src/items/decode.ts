// Reads UTF-8 that may end inside a character. Tokens do, and a token that no character continues must not be taken.

import type { CharacterRange } from '../grammar/expression.ts'

export interface Decoded {
  text: string
  /** The bytes of a character that isn't complete. */
  partial: Uint8Array
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true, fatal: true })

/** Undefined if the bytes aren't UTF-8, whatever follows. */
export function decode(bytes: Uint8Array): Decoded | undefined {
  const whole = bytes.length - partialLength(bytes)
  const partial = bytes.subarray(whole)
  if (partial.length > 0 && charactersOf(partial) === undefined) return undefined
  try {
    return { text: decoder.decode(bytes.subarray(0, whole)), partial }
  } catch {
    // The decoder throws at bytes that aren't UTF-8, and at nothing else.
    return undefined
  }
}

/** The characters that begin with these bytes; undefined if there are none. */
export function charactersOf(partial: Uint8Array): CharacterRange | undefined {
  const lead = partial[0]!
  const length = lengthOf(lead)
  const bits = [...partial.subarray(1)].reduce((sum, byte) => sum * 64 + (byte & 0x3f), lead & (0x7f >> length))
  const left = 64 ** (length - partial.length)
  // Longer encodings than needed, and surrogates, are not allowed.
  const from = Math.max(bits * left, [0, 0, 0x80, 0x8_00, 0x1_00_00][length]!)
  const to = Math.min((bits + 1) * left - 1, 0x10_ff_ff)
  if (from >= 0xd8_00 && to <= 0xdf_ff) return undefined
  return lead >= 0xc2 && from <= to ? [from, to] : undefined
}

function lengthOf(lead: number): number {
  return lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2
}

/** How many bytes at the end begin a character that isn't complete. */
function partialLength(bytes: Uint8Array): number {
  for (let length = 1; length <= Math.min(3, bytes.length); length++) {
    const byte = bytes[bytes.length - length]!
    if (byte >= 0xc0) return length < lengthOf(byte) ? length : 0
    if (byte < 0x80) return 0
  }
  return 0
}
