import { bytesOfKey, isPublicKey } from './key-pair.ts'

/**
 * Points of small order on Curve25519 and its twist, in every form that 255 bits can have (RFC 7748, section 7). A secret agreed with
 * one of them is always zero, so encrypting to it fails: a device that announced one would make its organization's requests fail.
 */
const SMALL_ORDER = new Set([
  '0000000000000000000000000000000000000000000000000000000000000000',
  '0100000000000000000000000000000000000000000000000000000000000000',
  'e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800',
  '5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
])

/** Whether others can encrypt to this key: 32 bytes as base64url, and not a point of small order. */
export function isAgreementKey(text: unknown): text is string {
  if (!isPublicKey(text)) return false
  const bytes = bytesOfKey(text)
  // X25519 ignores the highest bit.
  bytes.writeUInt8(bytes.readUInt8(31) & 0x7f, 31)
  return !SMALL_ORDER.has(bytes.toString('hex'))
}
