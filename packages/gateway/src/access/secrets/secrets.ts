// The secrets that people and devices hold: API keys, device credentials, enrolment tokens, device codes and links. They share one format,
// so a mistyped or made-up secret is rejected without a lookup, and secret scanners can find a leaked one:
//
//   sk-hearth-  32 random base62 characters (190 bits)  6 base62 characters: CRC-32 of everything before them
//
// The text is shown once and only its digest is stored: a plain SHA-256, because a random secret needs no slow hash.

import { hash, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

export interface Secret {
  /** The text to show once. */
  key: string
  digest: string
  /** The last characters, to recognize it in a list. */
  hint: string
}

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const RANDOM_LENGTH = 32
/** 62 ** 6 is more than 2 ** 32, so six characters hold any checksum. */
const CHECKSUM_LENGTH = 6
const HINT_LENGTH = 4

const shape = new RegExp(`^[a-z]{2}-hearth-[0-9A-Za-z]{${RANDOM_LENGTH + CHECKSUM_LENGTH}}$`)

export const [createKey, isKey] = secretOf('sk-hearth-')
export const [createCredential, isCredential] = secretOf('hd-hearth-')
export const [createEnrolmentToken, isEnrolmentToken] = secretOf('he-hearth-')
/** A waiting device polls with this secret until its code is approved. */
export const [createDeviceCode, isDeviceCode] = secretOf('hc-hearth-')
export const [createInvitationToken] = secretOf('hi-hearth-')
export const [createSetUpToken] = secretOf('hs-hearth-')

export function digestSecret(text: string): string {
  return hash('sha256', text)
}

/** How to make such a secret, and how to tell one. */
function secretOf(prefix: string): [create: () => Secret, is: (text: string) => boolean] {
  return [() => createSecret(prefix), (text) => isSecret(text, prefix)]
}

function createSecret(prefix: string): Secret {
  const random = Array.from({ length: RANDOM_LENGTH }, () => BASE62[randomInt(BASE62.length)]).join('')
  const key = prefix + random + checksum(prefix + random)
  return { key, digest: digestSecret(key), hint: key.slice(-HINT_LENGTH) }
}

function isSecret(text: string, prefix: string): boolean {
  if (!text.startsWith(prefix) || !shape.test(text)) return false
  return text.slice(-CHECKSUM_LENGTH) === checksum(text.slice(0, -CHECKSUM_LENGTH))
}

function checksum(text: string): string {
  let rest = crc32(text)
  let characters = ''
  for (let index = 0; index < CHECKSUM_LENGTH; index++) {
    characters = BASE62[rest % BASE62.length] + characters
    rest = Math.floor(rest / BASE62.length)
  }
  return characters
}
