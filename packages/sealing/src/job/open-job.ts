import { isUtf8 } from 'node:buffer'
import { readBase64, readBase64Url } from '../base64.ts'
import { openBox } from '../box/aes-box.ts'
import type { ContentKey } from '../box/derive-key.ts'
import { unpad } from '../box/padding.ts'
import { MAX_JOB_BOX_BYTES } from '../limits.ts'
import { readSealedHeader, type SealedHeader } from './header.ts'
import { jobKey } from './job-key.ts'
import { ENCAPSULATED_BYTES, WRAPPED_KEY_BYTES, type SealedJob } from './sealed-job.ts'
import { unwrapKey } from './wrap-key.ts'

export interface JobToOpen {
  sealed: SealedJob
  /** The ID of this device. */
  device: string
  /** X25519, as base64url. */
  privateKey: string
}

export type OpenedJob =
  | { kind: 'opened'; header: SealedHeader; job: string; contentKey: ContentKey }
  | { kind: 'rejected'; reason: OpenJobReason }

/** `not-for-this-device`: no key was wrapped for it. `not-opened`: changed, or wrapped for another key of it. */
export type OpenJobReason = 'malformed' | 'too-large' | 'not-for-this-device' | 'not-opened'

/** Says nothing about whether the job is fresh or new: `header` has the time and the ID for that. */
export async function openJob({ sealed, device, privateKey }: JobToOpen): Promise<OpenedJob> {
  const header = readSealedHeader(sealed.header)
  if (!header) return { kind: 'rejected', reason: 'malformed' }
  const wrapped = sealed.keys.find((key) => key.device === device)
  if (!wrapped) return { kind: 'rejected', reason: 'not-for-this-device' }
  const box = readBase64(sealed.box, MAX_JOB_BOX_BYTES)
  if (box.kind === 'rejected') return box
  const enc = readBase64Url(wrapped.enc, ENCAPSULATED_BYTES)
  const key = readBase64Url(wrapped.key, WRAPPED_KEY_BYTES)
  if (!enc || !key) return { kind: 'rejected', reason: 'malformed' }
  const contentKey = await unwrapKey({ enc, key }, privateKey, sealed.header)
  if (!contentKey) return { kind: 'rejected', reason: 'not-opened' }
  const job = openJobBox(contentKey, box.bytes, sealed.header)
  return job === undefined ? { kind: 'rejected', reason: 'not-opened' } : { kind: 'opened', header, job, contentKey }
}

function openJobBox(contentKey: ContentKey, box: Buffer, header: string): string | undefined {
  const padded = openBox(jobKey(contentKey), 0, box, Buffer.from(header))
  const plain = padded && unpad(padded)
  return plain && isUtf8(plain) ? plain.toString() : undefined
}
