// The keys of one attempt. The device adds a salt of its own, as in Oblivious HTTP (RFC 9458, section 4.4): a gateway that starts the
// same attempt twice gets two keys, and never two texts under one key and nonce.

import type { KeyObject } from 'node:crypto'
import { deriveKey, type ContentKey } from '../box/derive-key.ts'
import { asUint32, type Transcript } from './transcript.ts'

export const SALT_BYTES = 32

const EVENTS = Buffer.from('hearth/seal/events/1')
const ERROR = Buffer.from('hearth/seal/error/1')

export interface Attempt {
  contentKey: ContentKey
  attempt: number
  /** Of the attempts before this one. */
  transcript: Transcript
}

export function eventsKey({ contentKey, attempt, transcript }: Attempt, salt: Uint8Array): KeyObject {
  return deriveKey(contentKey, salt, Buffer.concat([EVENTS, asUint32(attempt), transcript]))
}

export function errorKey({ contentKey, attempt, transcript }: Attempt, salt: Uint8Array): KeyObject {
  return deriveKey(contentKey, salt, Buffer.concat([ERROR, asUint32(attempt), transcript]))
}
