// Bodies that begin and never end: half of 20 MiB is in the gateway's memory while it waits for the rest.

import { sendUnfinished } from '../attacker/connect-to.ts'
import type { Attack } from '../attack.ts'

const CLIENTS = 120
const SENT_BYTES = 10 * 1024 * 1024
const DECLARED_BYTES = 20 * 1024 * 1024

export const halfBodies: Attack = {
  name: 'half-bodies',
  from: 'outside',
  async run({ origin, keys }, tally) {
    const half = { path: '/openai/v1/chat/completions', declares: DECLARED_BYTES, sends: SENT_BYTES }
    const clients = Array.from({ length: CLIENTS }, (_, index) =>
      sendUnfinished(origin, { ...half, key: keys[index % keys.length]! }),
    )
    for (const { fate, socket } of await Promise.all(clients)) {
      tally.count(fate)
      socket.destroy()
    }
  },
}
