// Decides which devices and programs to trust, from documents that an untrusted gateway hands out and the seal that the client has pinned.

import { readSealText } from '../keys/seal-text.ts'
import { readAdministrators, type Administrator } from './administrators.ts'
import { readDeviceList, type TrustedDevice } from './device-list.ts'
import type { NamedApp } from './release.ts'
import type { DocumentReason } from './read-signed.ts'
import { compareWithSeen, toSeen, type Chained, type Seen, type SeenDocument, type SeenReason } from './seen.ts'
import type { SignedText } from './signed-text.ts'

export interface SealCheck {
  /** `hs-…`, as the client has pinned it. */
  seal: string
  organization: string
  /** As they came from the gateway, or undefined if it has none. */
  administrators: unknown
  devices: unknown
  /** Of this seal and this organization. */
  seen: Seen
}

export type SealVerdict =
  | {
      kind: 'trusted'
      devices: readonly TrustedDevice[]
      administrators: readonly Administrator[]
      apps: readonly NamedApp[]
      /** With what the next document has to name. */
      seen: { [name in keyof Seen]: SeenDocument & Chained }
    }
  | { kind: 'rejected'; reason: SealReason; document: 'seal' | 'administrators' | 'devices' }

export type SealReason = DocumentReason | SeenReason | 'wrong-organization'

type Checked<Document> =
  | { kind: 'read'; document: Document; seen: SeenDocument & Chained }
  | { kind: 'none' }
  | { kind: 'rejected'; reason: SealReason }

export function checkSeal({ seal, organization, administrators, devices, seen }: SealCheck): SealVerdict {
  const root = readSealText(seal)
  if (root?.kind !== 'hs') return { kind: 'rejected', reason: 'malformed', document: 'seal' }
  const signers = check(administrators, organization, seen.administrators, (value) =>
    readAdministrators(value, root.publicKey),
  )
  if (signers.kind === 'rejected') return { ...signers, document: 'administrators' }
  const others = signers.kind === 'read' ? signers.document.administrators : []
  const list = check(devices, organization, seen.devices, (value) =>
    readDeviceList(value, [root.publicKey, ...others.map(({ key }) => key)]),
  )
  if (list.kind === 'rejected') return { ...list, document: 'devices' }
  return {
    kind: 'trusted',
    devices: list.kind === 'read' ? list.document.devices : [],
    administrators: others,
    apps: list.kind === 'read' ? (list.document.apps ?? []) : [],
    seen: {
      ...(signers.kind === 'read' && { administrators: signers.seen }),
      ...(list.kind === 'read' && { devices: list.seen }),
    },
  }
}

function check<Document extends Chained & { organization: string; number: number }>(
  value: unknown,
  organization: string,
  seen: SeenDocument | undefined,
  read: (
    value: unknown,
  ) => { kind: 'read'; document: Document; signed: SignedText } | { kind: 'rejected'; reason: SealReason },
): Checked<Document> {
  if (value === undefined) {
    const reason = compareWithSeen(undefined, seen)
    return reason ? { kind: 'rejected', reason } : { kind: 'none' }
  }
  const result = read(value)
  if (result.kind === 'rejected') return result
  const { document, signed } = result
  if (document.organization !== organization) return { kind: 'rejected', reason: 'wrong-organization' }
  const now = toSeen(document.number, signed, document)
  const reason = compareWithSeen(now, seen)
  return reason ? { kind: 'rejected', reason } : { kind: 'read', document, seen: now }
}
