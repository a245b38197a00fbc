// Examples that several tests share.

import { createSecretKey } from 'node:crypto'
import type { ContentKey } from '../box/derive-key.ts'
import type { SealedHeader } from '../job/header.ts'
import { newAgreementKey } from '../keys/key-pair.ts'

export const ORGANIZATION = 'organization-1'

export function exampleHeader(changes: Partial<SealedHeader> = {}): SealedHeader {
  return {
    version: 1,
    organization: ORGANIZATION,
    id: Buffer.alloc(16, 7).toString('base64url'),
    sealedAt: 1_790_000_000_000,
    model: 'tiny',
    features: ['sealed', 'tools'],
    stream: true,
    choices: 1,
    promptTokens: 128,
    ...changes,
  }
}

export function exampleDevice(id: string) {
  const { publicKey, privateKey } = newAgreementKey()
  return { id, key: publicKey, privateKey }
}

export function exampleContentKey(byte = 1): ContentKey {
  return createSecretKey(Buffer.alloc(32, byte))
}

/** A copy in which one bit is another one. */
export function withFlippedBit(bytes: Uint8Array, bit: number): Buffer {
  const copy = Buffer.from(bytes)
  copy.writeUInt8(copy.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3)
  return copy
}
