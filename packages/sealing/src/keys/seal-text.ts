// Public signing keys as people copy them: `hs-…` is an organization's seal, `ha-…` the key of a further administrator.

import { createHash } from 'node:crypto'
import { readBase64Url } from '../base64.ts'
import { bytesOfKey } from './key-pair.ts'

const KEY_BYTES = 32
/** The beginning of the key's hash follows the key, so that a typo is noticed. */
const CHECK_BYTES = 4

export type SealTextKind = 'hs' | 'ha'

export interface SealText {
  kind: SealTextKind
  publicKey: string
}

export function sealText(publicKey: string, kind: SealTextKind): string {
  const key = bytesOfKey(publicKey)
  return `${kind}-${Buffer.concat([key, checkOf(key)]).toString('base64url')}`
}

/** Spaces around it are forgiven. Undefined: nothing of the kind, or a typo. */
export function readSealText(text: string): SealText | undefined {
  // A key is 51 characters long: no need to look through more.
  if (text.length > 256) return undefined
  const [, kind, encoded] = /^(hs|ha)-([\w-]+)$/.exec(text.trim()) ?? []
  const bytes = readBase64Url(encoded, KEY_BYTES + CHECK_BYTES)
  if (!bytes || (kind !== 'hs' && kind !== 'ha')) return undefined
  const key = bytes.subarray(0, KEY_BYTES)
  if (!checkOf(key).equals(bytes.subarray(KEY_BYTES))) return undefined
  return { kind, publicKey: key.toString('base64url') }
}

function checkOf(key: Buffer): Buffer {
  return createHash('sha256').update(key).digest().subarray(0, CHECK_BYTES)
}
