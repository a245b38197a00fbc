// A text with its signature. The text travels as it was signed: nothing is ever formatted again before a signature is checked.

import { createPrivateKey, createPublicKey, sign, verify } from 'node:crypto'
import { readBase64Url } from '../base64.ts'
import { isFields } from '../fields.ts'
import { isPublicKey, type SigningKey } from '../keys/key-pair.ts'
import { MAX_DOCUMENT_BYTES } from '../limits.ts'

const SIGNATURE_BYTES = 64
/** Keeps a signature of ours from being one of something else. */
const PURPOSE = 'hearth-seal\n'

export interface SignedText {
  text: string
  /** The Ed25519 key that signed it, as base64url. */
  key: string
  /** Of "hearth-seal", a line break and the text, as base64url. */
  signature: string
}

export type SignedTextResult =
  | { kind: 'read'; signed: SignedText }
  | { kind: 'rejected'; reason: 'malformed' | 'too-large' }

export function readSignedText(value: unknown): SignedTextResult {
  if (!isFields(value) || typeof value.text !== 'string') return { kind: 'rejected', reason: 'malformed' }
  const { text, key, signature } = value
  if (text.length > MAX_DOCUMENT_BYTES || Buffer.byteLength(text) > MAX_DOCUMENT_BYTES) {
    return { kind: 'rejected', reason: 'too-large' }
  }
  if (!text.isWellFormed() || !isPublicKey(key) || !isSignature(signature)) {
    return { kind: 'rejected', reason: 'malformed' }
  }
  return { kind: 'read', signed: { text, key, signature } }
}

export function signText(text: string, key: SigningKey): SignedText {
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: key.publicKey, d: key.privateKey }
  const signature = sign(null, signedBytes(text), createPrivateKey({ key: jwk, format: 'jwk' }))
  return { text, key: key.publicKey, signature: signature.toString('base64url') }
}

export function isSignedBy(signed: SignedText, publicKey: string): boolean {
  if (signed.key !== publicKey || !isPublicKey(publicKey)) return false
  const signature = readBase64Url(signed.signature, SIGNATURE_BYTES)
  if (!signature) return false
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: publicKey }
  return verify(null, signedBytes(signed.text), createPublicKey({ key: jwk, format: 'jwk' }), signature)
}

function isSignature(text: unknown): text is string {
  return readBase64Url(text, SIGNATURE_BYTES) !== undefined
}

function signedBytes(text: string): Buffer {
  return Buffer.from(`${PURPOSE}${text}`)
}
