// Messages that begin and never end: three hundred devices of one organization each send a megabyte of one, and wait.

import { HostileLink } from '../../attacker/hostile-link.ts'
import type { Attack } from '../../attack.ts'

/** Just under the largest message. */
const HALF_BYTES = 1024 * 1024 - 1024

export const halfMessages: Attack = {
  name: 'half-messages',
  from: 'outside',
  async run({ origin, credentials }, tally) {
    const half = Buffer.alloc(HALF_BYTES, 0x20)
    const links = await Promise.all(credentials.map((credential) => sendHalf(origin, credential, half)))
    for (const link of links) tally.count(link.isOpen ? 'held' : await link.closed)
    for (const link of links) link.close()
  },
}

async function sendHalf(origin: string, credential: string, half: Buffer): Promise<HostileLink> {
  const link = await HostileLink.open({ origin, credential, models: [], onFrame: () => undefined })
  await link.sendUnfinished(half)
  await link.settled()
  return link
}
