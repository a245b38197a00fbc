// Connections that send tens of thousands of tiny requests without waiting for a reply. No key is needed.

import { connectTo } from '../attacker/connect-to.ts'
import type { Attack } from '../attack.ts'

const CONNECTIONS = 20
const REQUEST = 'GET /openai/v1/models HTTP/1.0\r\nConnection:keep-alive\r\n\r\n'
const TIMES = 20_000

export const pipelinedRequests: Attack = {
  name: 'pipelined-requests',
  from: 'outside',
  async run({ origin }, tally) {
    const connections = Array.from({ length: CONNECTIONS }, () => pipeline(origin))
    for (const fate of await Promise.all(connections)) tally.count(fate)
  },
}

/** Resolves when the gateway has answered everything or closed the connection. */
async function pipeline(origin: string): Promise<string> {
  const socket = connectTo(origin)
  const { promise, resolve } = Promise.withResolvers<string>()
  let replies = 0
  socket.on('close', () => resolve('closed'))
  socket.setEncoding('latin1').on('data', (text: string) => {
    replies += text.split('HTTP/1.1 ').length - 1
    if (replies >= TIMES) resolve('all answered')
  })
  socket.write(REQUEST.repeat(TIMES))
  return promise.finally(() => socket.destroy())
}
