// The secret that clients on this machine show to the proxy, as their API key. Other accounts of the machine can reach its port, too.

import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { closeToOthers } from '@hearth/command-line/files/close-to-others'
import { writeAtomic } from '@hearth/command-line/files/write-atomic'

const TOKEN = /^sk-seal-[\w-]{43}$/

/** The same at each start, so that clients can keep it. Delete the file for a new one. */
export function openProxyToken(path: string): string {
  const kept = existsSync(path) ? readFileSync(path, 'utf8').trim() : ''
  if (TOKEN.test(kept)) {
    closeToOthers(path)
    return kept
  }
  const token = `sk-seal-${randomBytes(32).toString('base64url')}`
  writeAtomic(path, `${token}\n`, { mode: 0o600 })
  return token
}
