// A content key for one device: HPKE (RFC 9180), base mode, single shot. The header is bound to it.

import { createSecretKey } from 'node:crypto'
import type { ContentKey } from '../box/derive-key.ts'
import { bytesOfKey } from '../keys/key-pair.ts'
import { CipherSuite } from 'hpke'
import { nodeAesGcm, nodeHkdf, nodeX25519 } from './node-primitives.ts'

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
  const recipient = await SUITE.DeserializePrivateKey(bytesOfKey(privateKey))
  try {
    return createSecretKey(await SUITE.Open(recipient, enc, key, { info: infoOf(header) }))
  } catch {
    // HPKE reports whatever is wrong as an error; there is nothing else to learn from it.
    return undefined
  }
}

function infoOf(header: string): Buffer {
  return Buffer.from(`hearth/seal/key/1\n${header}`)
}

function asText(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64url')
}

export const SUITE = new CipherSuite(nodeX25519, nodeHkdf, nodeAesGcm)
