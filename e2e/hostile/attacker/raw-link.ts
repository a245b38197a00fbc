// Handwritten WebSocket frames on a raw connection, which no library would send.

import { randomBytes } from 'node:crypto'
import type { Socket } from 'node:net'
import { connectTo } from './connect-to.ts'

export interface RawLink {
  socket: Socket
  /** The status of the upgrade; 'dropped' if there was none. */
  status: string
  /** Resolves when the gateway has closed the connection. */
  closed: Promise<void>
}

/** `reads` is false for a device that reads nothing after the reply to its upgrade. */
export async function openRawLink(origin: string, credential: string, reads: boolean): Promise<RawLink> {
  const socket = connectTo(origin)
  const upgraded = Promise.withResolvers<string>()
  const closed = Promise.withResolvers<void>()
  socket.on('close', () => {
    upgraded.resolve('dropped')
    closed.resolve()
  })
  socket.once('data', (data) => {
    upgraded.resolve(String(data).slice(9, 12))
    if (!reads) socket.pause()
  })
  if (reads) socket.on('data', () => {})
  socket.write(upgradeRequest(credential))
  return { socket, status: await upgraded.promise, closed: closed.promise }
}

function upgradeRequest(credential: string): string {
  const lines = [
    'GET /device/v1/link HTTP/1.1',
    'host: x',
    `authorization: Bearer ${credential}`,
    'connection: Upgrade',
    'upgrade: websocket',
    'sec-websocket-version: 13',
    `sec-websocket-key: ${randomBytes(16).toString('base64')}`,
  ]
  return `${lines.join('\r\n')}\r\n\r\n`
}
