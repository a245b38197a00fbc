// Jobs of an honest client, each with words that only the client and its devices may know.

import type { ChatJob } from '@hearth/protocol'
import type { Random } from '@hearth/gateway/testing'
import { EventOpener, sealJob, type ContentKey, type SealedHeader, type SealedJob } from '@hearth/sealing'
import { exampleHeader } from '@hearth/sealing/testing/examples'
import { ORGANIZATION, type FuzzedDevice } from './fuzzed-device.ts'

export interface HonestJob {
  /** The gateway's names for it begin like this. */
  name: string
  header: SealedHeader
  sealed: SealedJob
  contentKey: ContentKey
  job: ChatJob
  canary: string
  /** The reply of every device. */
  words: readonly string[]
}

/** The boxes of one attempt after another, as the gateway has them. */
export interface Chain {
  attempt: number
  boxes: readonly string[]
}

export const CANARIES = ['canaryfinch4721', 'canaryfinch4722', 'canaryfinch4723']
const MINUTE = 60_000
/** Clocks of clients differ. */
const OFFSETS = [0, 0, 0, -4 * MINUTE, -6 * MINUTE, 4 * MINUTE, 6 * MINUTE, -50 * MINUTE]

export function sealHonestJobs(devices: readonly FuzzedDevice[], now: number, random: Random): Promise<HonestJob[]> {
  return Promise.all(
    CANARIES.map((canary, index) => sealOne(canary, `job${index}`, devices, now + random.pick(OFFSETS))),
  )
}

async function sealOne(
  canary: string,
  name: string,
  devices: readonly FuzzedDevice[],
  sealedAt: number,
): Promise<HonestJob> {
  const job: ChatJob = { model: 'echo', messages: [{ role: 'user', content: `Say ${canary}` }] }
  const id = crypto.getRandomValues(Buffer.alloc(16)).toString('base64url')
  const header = exampleHeader({ organization: ORGANIZATION, id, sealedAt, model: job.model, features: ['sealed'] })
  const keys = devices.map((device) => ({ id: device.id, key: device.key.publicKey }))
  const { body, contentKey } = await sealJob({ header, job: JSON.stringify(job), devices: keys })
  const words = Array.from({ length: 5 }, (_, index) => `${canary}-${index} `)
  return { name, header, sealed: body, contentKey, job, canary, words }
}

/** The text that the client shows if the gateway sends it these boxes; it ends where one doesn't open. */
export function openChain({ contentKey }: HonestJob, chain: readonly Chain[]): string {
  const opener = new EventOpener(contentKey)
  let text = ''
  for (const { attempt, boxes } of chain)
    for (const [sequence, box] of boxes.entries()) {
      const opened = opener.open({ attempt, sequence, box })
      if (opened.kind === 'rejected') return text
      const event = JSON.parse(opened.plain.toString()) as { text?: string }
      text += event.text ?? ''
    }
  return text
}
