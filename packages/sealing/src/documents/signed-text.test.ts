import { createPrivateKey, sign } from 'node:crypto'
import { expect, it } from 'vitest'
import { newSigningKey } from '../keys/key-pair.ts'
import { MAX_DOCUMENT_BYTES } from '../limits.ts'
import { withFlippedBit } from '../testing/examples.ts'
import { isSignedBy, readSignedText, signText } from './signed-text.ts'

const key = newSigningKey()
const signed = signText('{"a":1}', key)

it('accepts what the key has signed, and no other text, key, or signature with another bit', () => {
  expect(isSignedBy(signed, key.publicKey)).toBe(true)
  const other = newSigningKey()
  expect(isSignedBy({ ...signed, text: '{"a":2}' }, key.publicKey)).toBe(false)
  expect(isSignedBy(signed, other.publicKey)).toBe(false)
  expect(isSignedBy({ ...signed, key: other.publicKey }, other.publicKey)).toBe(false)
  const signature = Buffer.from(signed.signature, 'base64url')
  for (let bit = 0; bit < signature.length * 8; bit++) {
    const changed = withFlippedBit(signature, bit).toString('base64url')
    expect(isSignedBy({ ...signed, signature: changed }, key.publicKey)).toBe(false)
  }
})

it('says its purpose in what it signs, so that no other signature of the key passes', () => {
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: key.publicKey, d: key.privateKey }
  const signatureOf = (text: string) =>
    sign(null, Buffer.from(text), createPrivateKey({ key: jwk, format: 'jwk' })).toString('base64url')
  expect(isSignedBy({ ...signed, signature: signatureOf('{"a":1}') }, key.publicKey)).toBe(false)
  expect(signed.signature).toBe(signatureOf('hearth-seal\n{"a":1}'))
})

it('rejects keys that are none without an error', () => {
  for (const wrong of ['', 'A'.repeat(43), '_'.repeat(42) + '8', 'x'.repeat(10_000)]) {
    expect(isSignedBy({ ...signed, key: wrong }, wrong)).toBe(false)
  }
})

it('reads the shape, within bounds', () => {
  expect(readSignedText(JSON.parse(JSON.stringify(signed)))).toEqual({ kind: 'read', signed })
  expect(readSignedText({ ...signed, text: 'x'.repeat(MAX_DOCUMENT_BYTES + 1) })).toMatchObject({ reason: 'too-large' })
  expect(readSignedText({ ...signed, text: 'é'.repeat(MAX_DOCUMENT_BYTES / 2 + 1) })).toMatchObject({
    reason: 'too-large',
  })
  // As UTF-8, a lone surrogate is the same as a replacement character: two texts would have one signature.
  for (const wrong of [
    null,
    'x',
    [],
    {},
    { ...signed, text: 1 },
    { ...signed, key: 'k' },
    { ...signed, signature: 's' },
    { ...signed, text: '\ud800' },
  ]) {
    expect(readSignedText(wrong)).toEqual({ kind: 'rejected', reason: 'malformed' })
  }
})
