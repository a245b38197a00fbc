import { createPrivateKey, createPublicKey, diffieHellman } from 'node:crypto'
import { expect, it } from 'vitest'
import { isAgreementKey } from './agreement-key.ts'
import { isPublicKey, newAgreementKey, newSigningKey } from './key-pair.ts'

const FIELD_PRIME = 2n ** 255n - 19n

it('makes another pair each time, both halves as 43 characters', () => {
  const keys = [newAgreementKey(), newAgreementKey(), newSigningKey(), newSigningKey()]
  expect(new Set(keys.flatMap(({ publicKey, privateKey }) => [publicKey, privateKey])).size).toBe(8)
  for (const { publicKey, privateKey } of keys) {
    expect(isPublicKey(publicKey)).toBe(true)
    expect(privateKey).toMatch(/^[\w-]{43}$/)
  }
})

it('knows a key in one form only', () => {
  const { publicKey } = newAgreementKey()
  for (const text of [
    `${publicKey}=`,
    `${publicKey} `,
    publicKey.slice(1),
    '+'.repeat(43),
    `${publicKey.slice(0, -1)}-`,
  ]) {
    expect(isPublicKey(text)).toBe(false)
  }
  // The last character carries four bits of the key; with others, it would be a second form of the same key.
  expect(isPublicKey(`${'A'.repeat(42)}B`)).toBe(false)
  expect(isPublicKey(undefined)).toBe(false)
})

it('rejects every point of small order, with and without the bit that X25519 ignores', () => {
  const points = smallOrderPoints()
  expect(points).toHaveLength(14)
  for (const point of points) {
    expect(() => agreeWith(point), point.toString('hex')).toThrow()
    expect(isAgreementKey(point.toString('base64url')), point.toString('hex')).toBe(false)
  }
})

it('accepts the keys that devices make', () => {
  for (let round = 0; round < 50; round++) expect(isAgreementKey(newAgreementKey().publicKey)).toBe(true)
})

/** By their numbers, as RFC 7748 and the libraries that reject them list them. */
function smallOrderPoints(): Buffer[] {
  const eight = 325606250916557431795983626356110631294008115727848805560023387167927233504n
  const twist = 39382357235489614581723060781553021112529911719440698176882885853963445705823n
  const numbers = [0n, 1n, eight, twist, FIELD_PRIME - 1n, FIELD_PRIME, FIELD_PRIME + 1n]
  return numbers.flatMap((number) => [asBytes(number), asBytes(number + 2n ** 255n)])
}

function asBytes(number: bigint): Buffer {
  return Buffer.from(Buffer.from(number.toString(16).padStart(64, '0'), 'hex').toReversed())
}

function agreeWith(point: Buffer): Buffer {
  const { publicKey, privateKey } = newAgreementKey()
  const okp = { kty: 'OKP', crv: 'X25519' }
  return diffieHellman({
    privateKey: createPrivateKey({ key: { ...okp, x: publicKey, d: privateKey }, format: 'jwk' }),
    publicKey: createPublicKey({ key: { ...okp, x: point.toString('base64url') }, format: 'jwk' }),
  })
}
