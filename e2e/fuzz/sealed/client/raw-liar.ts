// A server that answers each request with bytes that somebody else made up, in pieces, and may hang up in between.

import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'

export interface RawAnswer {
  pieces: readonly Buffer[]
  /** `keep` leaves the connection open for a while, so that the next request may come on it. */
  after: 'end' | 'keep' | 'reset'
}

export interface RawRequest {
  method: string
  /** As it came, with its head. */
  bytes: Buffer
  body: Buffer
  key: string
}

export interface RawLiar extends AsyncDisposable {
  origin: URL
}

const HEAD_END = '\r\n\r\n'
/** A client that waits for more on a connection that is kept would wait forever. */
const KEEP_MS = 100

export async function startRawLiar(answer: (request: RawRequest) => Promise<RawAnswer>): Promise<RawLiar> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    // The other side hangs up whenever it has heard enough.
    socket.on('error', () => {})
    void serve(socket, answer)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    origin: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

async function serve(socket: Socket, answer: (request: RawRequest) => Promise<RawAnswer>): Promise<void> {
  let received = Buffer.alloc(0)
  try {
    for await (const chunk of socket as AsyncIterable<Buffer>) {
      received = Buffer.concat([received, chunk])
      const request = readRequest(received)
      if (request === undefined) continue
      received = received.subarray(request.bytes.length)
      await write(socket, await answer(request))
    }
  } catch {
    // The other side has hung up.
    socket.destroy()
  }
}

/** Undefined as long as it isn't complete. */
function readRequest(bytes: Buffer): RawRequest | undefined {
  const end = bytes.indexOf(HEAD_END)
  if (end < 0) return undefined
  const head = bytes.toString('latin1', 0, end)
  const length = Number(/^content-length: (\d+)$/im.exec(head)?.[1] ?? 0)
  const start = end + HEAD_END.length
  if (bytes.length < start + length) return undefined
  const key = /^authorization: bearer (\S+)$/im.exec(head)?.[1] ?? ''
  const whole = bytes.subarray(0, start + length)
  return { method: head.split(' ', 1)[0] ?? '', bytes: whole, body: whole.subarray(start), key }
}

async function write(socket: Socket, { pieces, after }: RawAnswer): Promise<void> {
  for (const piece of pieces) {
    if (socket.destroyed) return
    socket.write(piece)
    await nextTurn()
  }
  if (after === 'reset') socket.resetAndDestroy()
  else if (after === 'end') socket.end()
  else socket.setTimeout(KEEP_MS, () => socket.end())
}
