// This machine's key for sealed requests, and its fingerprint, which people compare. Without the key, the device serves everything else.

import { type AgreementKey, fingerprintOf } from '@hearth/sealing'
import { CommandError, describeError } from '@hearth/command-line/errors'
import type { Say } from '../news.ts'
import type { SealStatus } from './status-file.ts'
import { openSealKey } from './seal-key.ts'

export interface SealFile {
  key?: AgreementKey
  status: SealStatus
}

export const SEALING_OFF: SealFile = { status: { problem: 'the owner turned them off (see --without-features)' } }

export function openSealFile(path: string, say: Say): SealFile {
  try {
    const key = openSealKey(path)
    return { key, status: { fingerprint: fingerprintOf(key.publicKey) } }
  } catch (error) {
    const advice = error instanceof CommandError && error.advice !== undefined ? `. ${error.advice}` : ''
    const problem = `${describeError(error)}${advice}`
    say(`This device takes no sealed requests: ${problem}`)
    return { status: { problem } }
  }
}
