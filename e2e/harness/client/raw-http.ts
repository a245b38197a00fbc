// Handwritten HTTP, for requests that no client library would send.

import { connect, type Socket } from 'node:net'
import { once } from 'node:events'
import { DEADLINE_MS } from '../deadline.ts'

/** Sends the bytes on a new connection and returns everything received until the gateway closed it. */
export async function exchange(origin: string, ...parts: readonly (string | Uint8Array)[]): Promise<string> {
  await using line = await openLine(origin)
  for (const part of parts) line.socket.write(part)
  return await line.ended
}

export interface Line extends AsyncDisposable {
  socket: Socket
  /** Everything received so far, one character per byte. */
  received(): string
  /** Resolves when the text matches the pattern. */
  heard(pattern: RegExp): Promise<string>
  /** Everything, once the gateway has closed its side. */
  ended: Promise<string>
}

export async function openLine(origin: string): Promise<Line> {
  const { hostname, port } = new URL(origin)
  const socket = connect({ host: hostname, port: Number(port) })
  let text = ''
  socket.setEncoding('latin1')
  socket.on('data', (data: string) => (text += data))
  // A reset is normal while the gateway rejects the rest of a request; the received text is what counts.
  socket.on('error', () => {})
  const ended = closed(socket).then(() => text)
  ended.catch(() => {})
  await once(socket, 'connect', { signal: AbortSignal.timeout(DEADLINE_MS) })
  return {
    socket,
    ended,
    received: () => text,
    heard: async (pattern) => {
      while (!pattern.test(text)) await once(socket, 'data', { signal: AbortSignal.timeout(DEADLINE_MS) })
      return text
    },
    [Symbol.asyncDispose]: async () => {
      socket.destroy()
      await Promise.resolve()
    },
  }
}

async function closed(socket: Socket): Promise<void> {
  const gone = Promise.withResolvers<void>()
  const timer = setTimeout(
    () => gone.reject(new Error(`The connection was still open after ${DEADLINE_MS} ms`)),
    DEADLINE_MS,
  )
  socket.on('close', () => gone.resolve())
  await gone.promise.finally(() => clearTimeout(timer))
}

/** The head of a request, up to its body. */
export function requestHead(method: string, path: string, headers: readonly [string, string][]): string {
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  return `${method} ${path} HTTP/1.1\r\nhost: localhost\r\n${lines}\r\n`
}

/** Status and body of a reply that was received as text. */
export function parseReply(text: string): { status: number; head: string; body: string } {
  const end = text.indexOf('\r\n\r\n')
  return { status: Number(text.slice(9, 12)), head: text.slice(0, end).toLowerCase(), body: text.slice(end + 4) }
}
