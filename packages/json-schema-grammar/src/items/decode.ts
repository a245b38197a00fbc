// Reads UTF-8 that may end inside a character. Tokens do, and a token that no character continues
// must not be taken.

export interface Decoded {
  text: string
  /** The bytes of a character that isn't complete. */
  partial: Uint8Array
}

const encoder = new TextEncoder()

/** Undefined if the bytes aren't UTF-8, whatever follows. */
export function decode(bytes: Uint8Array): Decoded | undefined {
  try {
    const text = new TextDecoder('utf-8', { ignoreBOM: true, fatal: true }).decode(bytes, { stream: true })
    return { text, partial: bytes.subarray(encoder.encode(text).length) }
  } catch {
    // The decoder throws at bytes that aren't UTF-8, and at nothing else.
    return undefined
  }
}
