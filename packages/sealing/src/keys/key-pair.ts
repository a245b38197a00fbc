// Key pairs as two short texts, which a file can hold.

import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { readBase64Url } from '../base64.ts'

const KEY_BYTES = 32
/** 32 bytes in the only form that stands for them: the last two bits are zero. */
const KEY = /^[\w-]{42}[AEIMQUYcgkosw048]$/

/** Both halves are 32 bytes as base64url. */
export interface KeyPair {
  publicKey: string
  privateKey: string
}

/** X25519, of a device: others encrypt to it. */
export type AgreementKey = KeyPair
/** Ed25519, of an administrator: it signs documents. */
export type SigningKey = KeyPair

export function newAgreementKey(): AgreementKey {
  return asTexts(generateKeyPairSync('x25519').privateKey)
}

export function newSigningKey(): SigningKey {
  return asTexts(generateKeyPairSync('ed25519').privateKey)
}

export function isPublicKey(text: unknown): text is string {
  return typeof text === 'string' && KEY.test(text)
}

export function bytesOfKey(text: string): Buffer {
  const bytes = readBase64Url(text, KEY_BYTES)
  if (!bytes) throw new TypeError('A key must be 32 bytes as base64url')
  return bytes
}

function asTexts(key: KeyObject): KeyPair {
  const { x, d } = key.export({ format: 'jwk' })
  if (x === undefined || d === undefined) throw new Error('A new key must have both halves')
  return { publicKey: x, privateKey: d }
}
