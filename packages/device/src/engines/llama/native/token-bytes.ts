// The bytes of each token. The library only turns tokens into strings, which loses incomplete characters. A token can end in the middle of a
// character, so the code that reads replies works on bytes.

import type { Token, Vocabulary } from './vocabulary.ts'

export interface TokenBytes {
  /** The bytes that the token adds to the text of a reply; empty for control tokens. */
  visible(token: Token): Buffer
  /** The same with the names of control tokens: tags and grammars are matched against this. */
  raw(token: Token): Buffer
}

export function createTokenBytes(vocabulary: Vocabulary): TokenBytes {
  const cache = new Map<Token, { visible: Buffer; raw: Buffer }>()
  const look = (token: Token) => cache.getOrInsertComputed(token, () => readBytes(vocabulary, token))
  return { visible: (token) => look(token).visible, raw: (token) => look(token).raw }
}

const EMPTY = Buffer.alloc(0)

function readBytes(vocabulary: Vocabulary, token: Token): { visible: Buffer; raw: Buffer } {
  const text = vocabulary.text(token)
  const kind = vocabulary.kind(token)
  switch (kind) {
    case 'control':
    case 'unknown':
      return { visible: EMPTY, raw: Buffer.from(text) }
    case 'user-defined':
      return same(Buffer.from(text))
    case 'byte':
      return same(fromByteName(text))
    case 'text':
      return same(vocabulary.encoding === 'spaced' ? Buffer.from(text.replaceAll('\u2581', ' ')) : fromByteLevel(text))
    default:
      return kind satisfies never
  }
}

function same(bytes: Buffer): { visible: Buffer; raw: Buffer } {
  return { visible: bytes, raw: bytes }
}

function fromByteName(text: string): Buffer {
  const byte = /^<0x([0-9A-Fa-f]{2})>$/.exec(text)?.[1]
  return byte === undefined ? Buffer.from(text) : Buffer.from(byte, 'hex')
}

// Byte-level vocabularies keep printable bytes as they are and map the others, in order, to the characters from U+0100 on.
const BYTE_OF_CHARACTER = new Map<string, number>()
for (let byte = 0, next = 256; byte < 256; byte++)
  BYTE_OF_CHARACTER.set(String.fromCodePoint(isPrintable(byte) ? byte : next++), byte)

function isPrintable(byte: number): boolean {
  return (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || byte >= 174
}

function fromByteLevel(text: string): Buffer {
  const bytes: number[] = []
  for (const character of text) {
    const byte = BYTE_OF_CHARACTER.get(character)
    if (byte === undefined) bytes.push(...Buffer.from(character))
    else bytes.push(byte)
  }
  return Buffer.from(bytes)
}
