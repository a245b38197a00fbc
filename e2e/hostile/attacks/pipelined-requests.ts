// A client sends a hundred thousand requests on one connection without waiting for a reply, and reads none.

import { connect } from 'node:net'
import { Tally } from '../attacker/tally.ts'
import type { Attack } from '../attack.ts'

const CONNECTIONS = 4
const REQUESTS = 100_000

export const pipelinedRequests: Attack = {
  name: 'pipelined-requests',
  from: 'outside',
  async run({ origin, keys: [key = ''] }) {
    const tally = new Tally()
    const connections = Array.from({ length: CONNECTIONS }, () => pipeline(origin, key))
    for (const fate of await Promise.all(connections)) tally.count(fate)
    return tally.report()
  },
}

/** Resolves when nothing more can be sent. */
async function pipeline(origin: string, key: string): Promise<string> {
  const { hostname, port } = new URL(origin)
  const socket = connect({
    host: hostname,
    port: Number(port),
    onread: { buffer: Buffer.alloc(4_096), callback: () => false },
  })
  const { promise, resolve } = Promise.withResolvers<string>()
  socket.on('error', () => {})
  socket.on('close', () => resolve('closed'))
  const request = `GET /openai/v1/models HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\n\r\n`
  socket.write(request.repeat(REQUESTS), () => resolve('all sent'))
  // Once the gateway stops reading, nothing leaves any more.
  let sent = -1
  const look = setInterval(() => {
    if (socket.bytesWritten - socket.writableLength === sent) resolve('held back')
    sent = socket.bytesWritten - socket.writableLength
  }, 500)
  return promise.finally(() => {
    clearInterval(look)
    socket.destroy()
  })
}
