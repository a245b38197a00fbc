import { isPublicKey } from './key-pair.ts'

/**
 * Points of small order on Curve25519 and its twist, in every form that 255 bits can have (RFC 7748, section 7). A secret agreed with
 * one of them is always zero, so encrypting to it fails: a device that announced one would make its organization's requests fail.
 */
const SMALL_ORDER = [
  '0000000000000000000000000000000000000000000000000000000000000000',
  '0100000000000000000000000000000000000000000000000000000000000000',
  'e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800',
  '5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
]
const REJECTED = new Set(SMALL_ORDER.flatMap(bothForms))

/** Whether others can encrypt to this key: 32 bytes as base64url, and not a point of small order. A list has thousands of them. */
export function isAgreementKey(text: unknown): text is string {
  return isPublicKey(text) && !REJECTED.has(text)
}

/** X25519 ignores the highest bit. */
function bothForms(hex: string): string[] {
  const bytes = Buffer.from(hex, 'hex')
  const other = Buffer.from(bytes)
  other.writeUInt8(bytes.readUInt8(31) | 0x80, 31)
  return [bytes, other].map((form) => form.toString('base64url'))
}
