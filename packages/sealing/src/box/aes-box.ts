// AES-256-GCM with numbered nonces. Whoever calls it never uses a number twice with one key.
// node:crypto and not WebCrypto: a call takes microseconds and returns at once, so events keep their order by themselves.

import { createCipheriv, createDecipheriv, type KeyObject } from 'node:crypto'

const CIPHER = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** The ciphertext, then the tag. */
export function closeBox(key: KeyObject, number: number, plain: Uint8Array, bound?: Uint8Array): Buffer {
  const cipher = createCipheriv(CIPHER, key, nonceOf(number), { authTagLength: TAG_BYTES })
  if (bound) cipher.setAAD(bound)
  return Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()])
}

/** Undefined if anything is not as it was when the box was closed. */
export function openBox(key: KeyObject, number: number, box: Uint8Array, bound?: Uint8Array): Buffer | undefined {
  if (box.length < TAG_BYTES) return undefined
  const decipher = createDecipheriv(CIPHER, key, nonceOf(number), { authTagLength: TAG_BYTES })
  if (bound) decipher.setAAD(bound)
  decipher.setAuthTag(box.subarray(box.length - TAG_BYTES))
  const plain = decipher.update(box.subarray(0, box.length - TAG_BYTES))
  try {
    decipher.final()
    return plain
  } catch {
    // The tag doesn't fit. The bytes in `plain` are not to be trusted and go nowhere.
    return undefined
  }
}

function nonceOf(number: number): Buffer {
  const nonce = Buffer.alloc(NONCE_BYTES)
  nonce.writeUIntBE(number, NONCE_BYTES - 6, 6)
  return nonce
}
