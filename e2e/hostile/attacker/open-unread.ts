// A client that sends its request and never reads the reply.

import { connectTo } from './connect-to.ts'
import type { Sending } from './send-request.ts'

/** A socket that does not read learns only from a failed write that it was cut. Line ends between requests mean nothing. */
const PROBE = '\r\n'
const PROBE_MS = 200

/** Resolves when the gateway has closed the connection. */
export async function openUnread(origin: string, { method = 'POST', path, key, body = '' }: Sending): Promise<string> {
  const socket = connectTo(origin, { buffer: Buffer.alloc(4_096), callback: () => false })
  const { promise, resolve } = Promise.withResolvers<string>()
  socket.on('close', () => resolve('cut'))
  const head = `${method} ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\nauthorization: Bearer ${key}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n`
  socket.write(head + String(body))
  const probing = setInterval(() => socket.write(PROBE), PROBE_MS)
  return promise.finally(() => clearInterval(probing))
}
