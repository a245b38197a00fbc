// A content key for one device: HPKE (RFC 9180), base mode, single shot. The header is bound to it.

import { createPrivateKey, createPublicKey, createSecretKey } from 'node:crypto'
import type { ContentKey } from '../box/derive-key.ts'
import { bytesOfKey } from '../keys/key-pair.ts'
import { SUITE } from './hpke-suite.ts'

/** Stands before the 32 bytes of an X25519 key in PKCS #8 (RFC 8410). */
const PKCS8 = Buffer.from('302e020100300506032b656e04220420', 'hex')

export async function wrapKey(contentKey: ContentKey, publicKey: string, header: string) {
  const recipient = await SUITE.DeserializePublicKey(bytesOfKey(publicKey))
  const { encapsulatedSecret, ciphertext } = await SUITE.Seal(recipient, contentKey.export(), { info: infoOf(header) })
  return { enc: asText(encapsulatedSecret), key: asText(ciphertext) }
}

/** Undefined if it was wrapped for another device or with another header, or was changed. */
export async function unwrapKey(
  { enc, key }: { enc: Uint8Array; key: Uint8Array },
  privateKey: string,
  header: string,
): Promise<ContentKey | undefined> {
  const recipient = await asRecipient(privateKey)
  try {
    return createSecretKey(await SUITE.Open(recipient, enc, key, { info: infoOf(header) }))
  } catch {
    // HPKE reports whatever is wrong as an error; there is nothing else to learn from it.
    return undefined
  }
}

/** Both halves: HPKE needs the public one too, and would compute it with a function that is still experimental. */
async function asRecipient(privateKey: string) {
  const bytes = bytesOfKey(privateKey)
  const key = createPrivateKey({ key: Buffer.concat([PKCS8, bytes]), format: 'der', type: 'pkcs8' })
  const { x } = createPublicKey(key).export({ format: 'jwk' })
  if (x === undefined) throw new Error('An X25519 key must have a public half')
  return {
    privateKey: await SUITE.DeserializePrivateKey(bytes),
    publicKey: await SUITE.DeserializePublicKey(bytesOfKey(x)),
  }
}

function infoOf(header: string): Buffer {
  return Buffer.from(`hearth/seal/key/1\n${header}`)
}

function asText(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64url')
}
