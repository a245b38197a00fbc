// Decides whom to trust, from what the gateway says, the pinned seal and the newest documents seen so far.

import {
  checkSeal,
  readAdministrators,
  readSealText,
  type Administrator,
  type SealReason,
  type TrustedDevice,
} from '@hearth/sealing'
import type { SealInformation } from '../gateway/seal-information.ts'
import type { SealFolder } from '../state/folder.ts'
import { recall, remember } from '../state/seen-file.ts'

export interface Trusted {
  kind: 'trusted'
  organization: string
  devices: readonly TrustedDevice[]
  administrators: readonly Administrator[]
  /** Of the documents; 0 if there is none yet. */
  numbers: { devices: number; administrators: number }
}

/** Something doesn't fit the seal. */
export interface Mismatch {
  kind: 'mismatch'
  reason: SealReason | 'no-seal' | 'other-seal'
  document: 'seal' | 'administrators' | 'devices'
}

/** Remembers what it has seen. Throws CommandError if the memory can't be read. */
export function checkTrust(information: SealInformation, seal: string, folder: SealFolder): Trusted | Mismatch {
  if (information.seal === undefined) return { kind: 'mismatch', reason: 'no-seal', document: 'seal' }
  if (information.seal !== seal) return { kind: 'mismatch', reason: 'other-seal', document: 'seal' }
  const { organization, administrators, devices } = information
  const memory = recall(folder, seal)
  if (memory !== undefined && memory.organization !== organization)
    return { kind: 'mismatch', reason: 'wrong-organization', document: 'seal' }
  const verdict = checkSeal({ seal, organization, administrators, devices, seen: memory?.seen ?? {} })
  if (verdict.kind === 'rejected') return { kind: 'mismatch', reason: verdict.reason, document: verdict.document }
  const { seen } = verdict
  remember(folder, seal, { organization, seen })
  return {
    kind: 'trusted',
    organization,
    devices: verdict.devices,
    administrators: listAdministrators(administrators, seal),
    numbers: { devices: seen.devices?.number ?? 0, administrators: seen.administrators?.number ?? 0 },
  }
}

/** The document has been checked before. */
function listAdministrators(document: unknown, seal: string): readonly Administrator[] {
  const root = readSealText(seal)
  const result = root && document !== undefined ? readAdministrators(document, root.publicKey) : undefined
  return result?.kind === 'read' ? result.document.administrators : []
}
