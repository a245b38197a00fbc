// A text with its signature. The text travels as it was signed: nothing is ever formatted again before a signature is checked.

import { createPrivateKey, createPublicKey, sign, verify } from 'node:crypto'
import { readBase64Url } from '../base64.ts'
import { isFields } from '../fields.ts'
import { isPublicKey, type SigningKey } from '../keys/key-pair.ts'
import { MAX_DOCUMENT_BYTES } from '../limits.ts'

const SIGNATURE_BYTES = 64
/** Keeps a signature of ours from being one of something else: of the lists of an organization, or of the project's releases. */
export type Purpose = 'hearth-seal' | 'hearth-release'

export interface SignedText {
  text: string
  /** The Ed25519 key that signed it, as base64url. */
  key: string
  /** Of its purpose, a line break and the text, as base64url. */
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

export function signText(text: string, key: SigningKey, purpose: Purpose = 'hearth-seal'): SignedText {
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: key.publicKey, d: key.privateKey }
  const signature = sign(null, signedBytes(text, purpose), createPrivateKey({ key: jwk, format: 'jwk' }))
  return { text, key: key.publicKey, signature: signature.toString('base64url') }
}

export function isSignedBy(signed: SignedText, publicKey: string, purpose: Purpose = 'hearth-seal'): boolean {
  if (signed.key !== publicKey || !isPublicKey(publicKey)) return false
  const signature = readBase64Url(signed.signature, SIGNATURE_BYTES)
  if (!signature) return false
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: publicKey }
  return verify(null, signedBytes(signed.text, purpose), createPublicKey({ key: jwk, format: 'jwk' }), signature)
}

function isSignature(text: unknown): text is string {
  return readBase64Url(text, SIGNATURE_BYTES) !== undefined
}

function signedBytes(text: string, purpose: Purpose): Buffer {
  return Buffer.from(`${purpose}\n${text}`)
}
