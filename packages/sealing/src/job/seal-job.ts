import { closeBox } from '../box/aes-box.ts'
import { newContentKey, type ContentKey } from '../box/derive-key.ts'
import { padJob } from '../box/padding.ts'
import { MAX_WRAPPED_KEYS } from '../limits.ts'
import { writeSealedHeader, type SealedHeader } from './header.ts'
import { jobKey } from './job-key.ts'
import type { SealedJob, WrappedKey } from './sealed-job.ts'
import { wrapKey } from './wrap-key.ts'

export interface JobToSeal {
  header: SealedHeader
  /** JSON. */
  job: string
  /** Whoever is in here can read the job: trusted devices alone, 1 to 64. */
  devices: readonly { id: string; key: string }[]
}

/** With the content key, the events of the reply can be opened. */
export async function sealJob({
  header,
  job,
  devices,
}: JobToSeal): Promise<{ body: SealedJob; contentKey: ContentKey }> {
  if (devices.length === 0 || devices.length > MAX_WRAPPED_KEYS) {
    throw new RangeError(`A job must be sealed for 1 to ${MAX_WRAPPED_KEYS} devices, not ${devices.length}`)
  }
  const contentKey = newContentKey()
  const text = writeSealedHeader(header)
  const box = closeBox(jobKey(contentKey), 0, padJob(Buffer.from(job)), Buffer.from(text)).toString('base64')
  const keys = await Promise.all(
    devices.map(async ({ id, key }): Promise<WrappedKey> => ({
      device: id,
      ...(await wrapKey(contentKey, key, text)),
    })),
  )
  return { body: { header: text, box, keys }, contentKey }
}
