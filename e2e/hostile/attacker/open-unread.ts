// A client that sends its request and never reads the reply.

import { connect } from 'node:net'
import type { Sending } from './send-request.ts'

/** Small, so that the reply stays with the gateway and not in this machine's buffers. */
const RECEIVE_BYTES = 4_096

/** Resolves when the gateway has closed the connection. */
export async function openUnread(origin: string, { path, key, body = '' }: Sending): Promise<string> {
  const { hostname, port } = new URL(origin)
  const socket = connect({
    host: hostname,
    port: Number(port),
    onread: { buffer: Buffer.alloc(RECEIVE_BYTES), callback: () => false },
  })
  const { promise, resolve } = Promise.withResolvers<string>()
  socket.on('error', () => resolve('cut'))
  socket.on('close', () => resolve('cut'))
  const head = `POST ${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n`
  socket.write(head + String(body))
  return promise
}
