import { createHash } from 'node:crypto'
import { entropyToMnemonic } from '@scure/bip39'
import { wordlist } from '@scure/bip39/wordlists/english.js'
import { expect, it } from 'vitest'
import { fingerprintOf } from './fingerprint.ts'
import { newAgreementKey } from './key-pair.ts'

it('shows the beginning of the SHA-256 of a key', () => {
  const { hex } = fingerprintOf(Buffer.alloc(32).toString('base64url'))
  expect(hex).toBe('6668 7aad f862 bd77 6c8f c18b 8e9f 8e20')
})

it('shows the first 88 bits as BIP-39 does', () => {
  const { publicKey } = newAgreementKey()
  const hash = createHash('sha256').update(Buffer.from(publicKey, 'base64url')).digest()
  const twelve = entropyToMnemonic(hash.subarray(0, 16), wordlist).split(' ')
  expect(fingerprintOf(publicKey).words.split(' ')).toEqual(twelve.slice(0, 8))
})

it('takes no text that is not exactly a key', () => {
  expect(() => fingerprintOf('short')).toThrow(TypeError)
  expect(() => fingerprintOf(Buffer.alloc(33).toString('base64url'))).toThrow(TypeError)
})
