import type { KeyObject } from 'node:crypto'
import { deriveKey, type ContentKey } from '../box/derive-key.ts'

const INFO = Buffer.from('hearth/seal/job/1')

/** Used for one box: the nonce is always 0. */
export function jobKey(contentKey: ContentKey): KeyObject {
  return deriveKey(contentKey, Buffer.alloc(0), INFO)
}
