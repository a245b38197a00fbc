// Decides whom to trust, from what the gateway says, the pinned seal and the newest documents seen so far.

import type { Administrator, Chained, NamedApp, SeenDocument, TrustedDevice } from '@hearth/sealing'
import { checkSeal, type SealReason } from '@hearth/sealing/documents/check-seal'
import { recall, remember } from './seen-file.ts'

/** What a gateway says. */
export interface ShownSeal {
  organization: string
  /** `hs-…`, as an administrator has pasted it in the console. */
  seal: string | undefined
  /** Signed documents, unchecked. */
  administrators: unknown
  devices: unknown
}

export interface Trusted {
  kind: 'trusted'
  organization: string
  devices: readonly TrustedDevice[]
  administrators: readonly Administrator[]
  /** Programs that devices and clients may install. */
  apps: readonly NamedApp[]
  /** The newest documents; absent if there is none yet. */
  seen: { administrators?: SeenDocument & Chained; devices?: SeenDocument & Chained }
}

/** Something doesn't fit the seal. */
export interface Mismatch {
  kind: 'mismatch'
  reason: SealReason | 'no-seal' | 'other-seal'
  document: 'seal' | 'administrators' | 'devices'
}

/** Remembers what it has seen in a file. Throws CommandError if it can't be read. */
export function checkTrust(shown: ShownSeal, seal: string, memoryFile: string): Trusted | Mismatch {
  if (shown.seal === undefined) return { kind: 'mismatch', reason: 'no-seal', document: 'seal' }
  if (shown.seal !== seal) return { kind: 'mismatch', reason: 'other-seal', document: 'seal' }
  const { organization, administrators, devices } = shown
  const memory = recall(memoryFile, seal)
  if (memory !== undefined && memory.organization !== organization)
    return { kind: 'mismatch', reason: 'wrong-organization', document: 'seal' }
  const verdict = checkSeal({ seal, organization, administrators, devices, seen: memory?.seen ?? {} })
  if (verdict.kind === 'rejected') return { kind: 'mismatch', reason: verdict.reason, document: verdict.document }
  remember(memoryFile, seal, { organization, seen: verdict.seen, apps: verdict.apps })
  return { ...verdict, organization }
}
