// Fingerprints, by which people compare keys: as words to read aloud, and as digits.

import { createHash } from 'node:crypto'
import { wordlist } from '@scure/bip39/wordlists/english.js'
import { bytesOfKey } from './key-pair.ts'

const WORDS = 8
const BITS_PER_WORD = 11
const HEX_BYTES = 16

export interface Fingerprint {
  /** The first 16 bytes of the hash, in groups of four digits. */
  hex: string
  /** The first 88 bits of the hash, as eight words of the BIP-39 list. */
  words: string
}

export function fingerprintOf(publicKey: string): Fingerprint {
  const hash = createHash('sha256').update(bytesOfKey(publicKey)).digest()
  const digits = hash.toString('hex', 0, HEX_BYTES)
  return { hex: digits.replaceAll(/.{4}(?!$)/g, '$& '), words: wordsOf(hash).join(' ') }
}

function wordsOf(hash: Buffer): string[] {
  const bits = Array.from(hash, (byte) => byte.toString(2).padStart(8, '0')).join('')
  return Array.from({ length: WORDS }, (_, index) => {
    const start = index * BITS_PER_WORD
    return wordlist[Number.parseInt(bits.slice(start, start + BITS_PER_WORD), 2)] ?? ''
  })
}
