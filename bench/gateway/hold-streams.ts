// Opens streams and reads them, without looking at what they carry, until the process ends. Each order opens more.

import { once } from 'node:events'
import { connect } from 'node:net'
import { requestBody } from './tokens.ts'

export interface StreamOrder {
  port: number
  path: string
  headers: Record<string, string>
  /** Undefined: the usual request. */
  body: string | undefined
  streams: number
}

/** Streams that are being opened at the same time. */
const OPENING = 32

process.on('message', (order: StreamOrder) => void openAll(order).then(() => process.send?.({ open: order.streams })))
process.on('disconnect', () => process.exit(0))

async function openAll(order: StreamOrder): Promise<void> {
  const turns = Array.from({ length: order.streams }).values()
  const open = async () => {
    for (const _ of turns) await openStream(order)
  }
  await Promise.all(Array.from({ length: OPENING }, open))
}

async function openStream({ port, path, headers, body = requestBody(true) }: StreamOrder): Promise<void> {
  const socket = connect({ port, host: '127.0.0.1' })
  const lines = Object.entries({
    host: 'x',
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    ...headers,
  })
  socket.write(`POST ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`)
  await once(socket, 'data')
  socket.resume()
}
