// Thousands of connections at once, each for one request that is rejected: what costs the gateway is to take them.

import { connectTo } from '../attacker/connect-to.ts'
import type { Attack } from '../attack.ts'

const ROUNDS = 5
const CONNECTIONS = 3_000
const REQUEST =
  'GET /openai/v1/models HTTP/1.1\r\nhost: x\r\nauthorization: Bearer hearth_none\r\nconnection: close\r\n\r\n'

export const newConnections: Attack = {
  name: 'new-connections',
  from: 'outside',
  async run({ origin }, tally) {
    for (let round = 0; round < ROUNDS; round++) {
      const fates = await Promise.all(Array.from({ length: CONNECTIONS }, async () => askOnce(origin)))
      for (const fate of fates) tally.count(fate)
    }
  },
}

/** Resolves with the status. */
async function askOnce(origin: string): Promise<string> {
  const socket = connectTo(origin)
  const { promise, resolve } = Promise.withResolvers<string>()
  let status = 'dropped'
  socket.once('data', (data) => (status = String(data).slice(9, 12)))
  socket.on('close', () => resolve(status))
  socket.write(REQUEST)
  return promise
}
