// A client that sends its request and never reads the reply.

import { connectTo } from './connect-to.ts'

/** A socket that does not read learns only from a failed write that it was cut. Line ends between requests mean nothing. */
const PROBE = '\r\n'
const PROBE_MS = 200

/** Resolves when the gateway has closed the connection. */
export async function openUnread(origin: string, key: string, body: string): Promise<string> {
  const socket = connectTo(origin, { buffer: Buffer.alloc(4_096), callback: () => false })
  const { promise, resolve } = Promise.withResolvers<string>()
  socket.on('close', () => resolve('cut'))
  const headers = `host: x\r\nconnection: close\r\nauthorization: Bearer ${key}\r\ncontent-length: ${Buffer.byteLength(body)}`
  socket.write(`POST /openai/v1/chat/completions HTTP/1.1\r\n${headers}\r\n\r\n${body}`)
  const probing = setInterval(() => socket.write(PROBE), PROBE_MS)
  return promise.finally(() => clearInterval(probing))
}
