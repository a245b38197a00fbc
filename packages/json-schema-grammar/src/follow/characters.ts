// The characters of a token, as llama.cpp reads them when it compares a token with a grammar. A
// token can begin and end inside a character.

/** A character of which the last bytes are missing. */
export interface Unfinished {
  value: number
  missing: number
}

export interface Characters {
  codes: number[]
  unfinished: Unfinished | undefined
}

/** By the first four bits; 0 inside a character. */
const LENGTHS = [1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 2, 2, 3, 4]

/**
 * Undefined for bytes that never fit. The library doesn't check bytes inside a character, so this
 * doesn't either.
 */
export function readCharacters(raw: Uint8Array, begun?: Unfinished): Characters | undefined {
  // The library stops at a zero.
  const end = raw.indexOf(0)
  const bytes = end === -1 ? raw : raw.subarray(0, end)
  if (bytes.length === 0) return undefined
  const codes: number[] = []
  let { value, missing } = begun ?? { value: 0, missing: 0 }
  for (const byte of bytes) {
    const isInside = byte >> 6 === 2
    if (missing > 0 && codes.length === 0 && begun !== undefined && !isInside) return undefined
    if (missing > 0) {
      value = (value << 6) + (byte & 0x3f)
      missing--
    } else {
      const length = LENGTHS[byte >> 4]!
      if (length === 0) return undefined
      missing = length - 1
      value = byte & ((1 << (7 - missing)) - 1)
    }
    if (missing === 0) codes.push(value)
  }
  return { codes, unfinished: missing > 0 ? { value, missing } : undefined }
}

/** The characters that it can become; undefined if there are none. */
export function possibleCharacters({ value, missing }: Unfinished): [low: number, high: number] | undefined {
  // In two bytes, it would be longer than it has to be.
  if (missing === 1 && value < 2) return undefined
  const low = value << (6 * missing)
  const first = { 1: 0, 2: 1 << 11, 3: 1 << 16 }[missing] ?? 0
  return [low === 0 ? first : low, low | ((1 << (6 * missing)) - 1)]
}
