// Three hundred links of one credential that never greet: each sends one message in fragments of one byte and never finishes it.

import { openRawLink, OPCODE, rawFrame } from '../attacker/raw-link.ts'
import type { Attack } from '../attack.ts'

const LINKS = 300
const FRAGMENTS = 16_000

export const fragmentedLinks: Attack = {
  name: 'fragmented-links',
  from: 'outside',
  async run({ origin, credentials: [credential = ''] }, tally) {
    const payload = Uint8Array.of(0x20)
    const rest = Array.from({ length: FRAGMENTS - 1 }, () => rawFrame(OPCODE.continuation, payload))
    const message = Buffer.concat([rawFrame(OPCODE.text, payload), ...rest])
    const links = Array.from({ length: LINKS }, () => sendFragments(origin, credential, message))
    for (const fate of await Promise.all(links)) tally.count(fate)
  },
}

/** The gateway has to close the connection: no greeting ever comes. */
async function sendFragments(origin: string, credential: string, message: Buffer): Promise<string> {
  const { socket, status, closed } = await openRawLink(origin, credential, true)
  let isSent = false
  if (status === '101') socket.write(message, () => (isSent = true))
  await closed
  return `${status}, closed ${isSent ? 'after' : 'before'} the last fragment`
}
