// Clients ask for streams of 16 MB and never read them. The attacker's own device answers them all at once.

import type { JobAttempt } from '@hearth/protocol'
import { HostileLink } from '../attacker/hostile-link.ts'
import { openUnread } from '../attacker/open-unread.ts'
import type { Tally } from '../attacker/tally.ts'
import type { Attack } from '../attack.ts'

const CLIENTS = 24
const TEXT = 'x'.repeat(1_000_000)
const FRAMES = 16

export const unreadStreams: Attack = {
  name: 'unread-streams',
  from: 'outside',
  async run({ origin, keys: [key = ''], credentials: [credential = ''], model }, tally) {
    const link = await HostileLink.open({
      origin,
      credential,
      models: [{ name: model, slots: 64 }],
      onFrame: (frame, own) => {
        if (frame.type === 'job-start') void answer(own, frame, tally)
      },
    })
    const body = JSON.stringify({ model, messages: [{ role: 'user', content: 'hi' }], stream: true })
    // The gateway has to close every connection by itself.
    const clients = Array.from({ length: CLIENTS }, () =>
      openUnread(origin, { path: '/openai/v1/chat/completions', key, body }),
    )
    for (const closed of await Promise.all(clients)) tally.count(closed)
    tally.count(link.isOpen ? 'still linked' : `closed ${await link.closed}`)
    link.close()
  },
}

/** Ignores pauses on purpose: the gateway has to protect itself. */
async function answer(link: HostileLink, { job, attempt }: JobAttempt, tally: Tally): Promise<void> {
  await link.send({ type: 'job-accept', job, attempt })
  for (let sequence = 0; sequence < FRAMES; sequence++)
    await link.send({ type: 'job-delta', job, attempt, sequence, choice: 0, text: TEXT })
  await link.send({ type: 'job-end', job, attempt, sequence: FRAMES, finishes: ['stop'] })
  tally.count('answered')
}
