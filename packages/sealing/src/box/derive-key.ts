import { createSecretKey, hkdfSync, randomBytes, type KeyObject } from 'node:crypto'

const KEY_BYTES = 32

/** The secret that a client makes for one job. A key object, so that no log ever shows its bytes. */
export type ContentKey = KeyObject

export function newContentKey(): ContentKey {
  return createSecretKey(randomBytes(KEY_BYTES))
}

/** HKDF-SHA256 (RFC 5869). */
export function deriveKey(contentKey: ContentKey, salt: Uint8Array, info: Uint8Array): KeyObject {
  return createSecretKey(Buffer.from(hkdfSync('sha256', contentKey, salt, info, KEY_BYTES)))
}
