// One stream over a connection of its own, as cheap as it can be for the process that opens it.

import { connect } from 'node:net'
import type { System } from '../systems/system.ts'

export interface StreamEnd {
  /** 0 if the connection ended before a response. */
  status: number
  /** What the response asks a client to wait. */
  retryMs: number
  isWhole: boolean
}

export function formatRequest({ path, headers }: Pick<System, 'path' | 'headers'>, body: string): string {
  const all = { host: 'bench', 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) }
  const lines = Object.entries({ ...all, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`)
  return `POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`
}

/** Calls `heard` with each piece of the response, the first of which has its head. */
export async function openStream(
  port: number,
  request: string,
  heard: (text: string, status: number) => void,
): Promise<StreamEnd> {
  const { promise, resolve } = Promise.withResolvers<StreamEnd>()
  const socket = connect({ port, host: '127.0.0.1', noDelay: true }).setEncoding('utf8')
  const end: StreamEnd = { status: 0, retryMs: 0, isWhole: false }
  socket.on('error', () => undefined)
  socket.on('data', (text: string) => {
    if (end.status === 0) {
      end.status = Number(text.slice(9, 12))
      end.retryMs = Number(/^retry-after: (\d+)/im.exec(text)?.[1] ?? 0) * 1_000
    }
    heard(text, end.status)
    end.isWhole ||= text.includes('data: [DONE]')
    if (text.endsWith('0\r\n\r\n') || (end.status !== 200 && text.endsWith('}'))) socket.destroy()
  })
  socket.on('close', () => resolve(end))
  socket.write(request)
  return promise
}
