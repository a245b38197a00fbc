// A secret in the right format that nobody ever issued, so that only a lookup can tell.

import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

export function madeUpSecret(prefix: string): string {
  const random = [...randomBytes(32)].map((byte) => BASE62[byte % BASE62.length]).join('')
  let rest = crc32(prefix + random)
  let checksum = ''
  for (let place = 0; place < 6; place++) {
    checksum = BASE62[rest % BASE62.length] + checksum
    rest = Math.floor(rest / BASE62.length)
  }
  return prefix + random + checksum
}
