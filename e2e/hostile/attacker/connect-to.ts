// Plain connections of an attacker. Whatever happens to one is a result, not an error.

import { connect, type OnReadOpts, type Socket } from 'node:net'

/** With `onread`, it stops reading when that returns false. */
export function connectTo(origin: string, onread?: OnReadOpts): Socket {
  const { hostname, port } = new URL(origin)
  return connect({ host: hostname, port: Number(port), ...(onread && { onread }) }).on('error', () => {})
}

export interface Unfinished {
  /** The status of an early answer, 'dropped', or 'sent' once everything has left. */
  fate: string
  socket: Socket
}

/** A request whose body never ends: it declares more bytes than it sends. */
export async function sendUnfinished(
  origin: string,
  { path, key, declares, sends }: { path: string; key: string; declares: number; sends: number },
): Promise<Unfinished> {
  const socket = connectTo(origin)
  const { promise, resolve } = Promise.withResolvers<string>()
  socket.on('close', () => resolve('dropped'))
  socket.once('data', (data) => resolve(String(data).slice(9, 12)))
  const head = `POST ${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\ncontent-length: ${declares}\r\n\r\n`
  socket.write(head)
  socket.write(Buffer.alloc(sends, ' '), () => resolve('sent'))
  return { fate: await promise, socket }
}
