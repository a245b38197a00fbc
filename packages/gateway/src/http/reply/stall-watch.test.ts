import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { NodeOutlet } from '@hearth/chat'
import { serveHere } from '@hearth/command-line/testing/serve-here'
import { describe, expect, it, onTestFinished } from 'vitest'
import { StallWatch } from './stall-watch.ts'

const STALL_MS = 60_000
const LARGE = 'x'.repeat(32 * 1024 * 1024)
const REQUEST = 'GET / HTTP/1.1\r\nhost: x\r\n\r\n'

/** Every request gets a reply that no socket buffer can hold. `pass` moves the clock and lets the watch look. */
async function open(reply: (response: ServerResponse) => void) {
  let now = 0
  const watch = new StallWatch(STALL_MS, () => now)
  const responses: ServerResponse[] = []
  const server = createServer((_request, response) => {
    watch.add(response)
    response.once('close', () => watch.remove(response))
    responses.push(response)
    reply(response)
  })
  const { port } = new URL(await serveHere(server))
  const socket = connect(Number(port), '127.0.0.1').on('error', () => {})
  onTestFinished(() => {
    watch.close()
    socket.destroy()
  })
  const pass = (ms: number) => {
    now += ms
    watch.look()
  }
  socket.pause().write(REQUEST)
  await once(server, 'request')
  return { socket, responses, pass }
}

async function read(socket: Socket, bytes: number): Promise<void> {
  let seen = 0
  while (seen < bytes) {
    const [chunk] = (await once(socket.resume(), 'data')) as [Buffer]
    seen += chunk.length
  }
  socket.pause()
}

describe('clients that do not read', () => {
  it('[J101c] are disconnected once the limit is over', async () => {
    const { responses, pass } = await open((response) => response.end(LARGE))
    pass(0)
    pass(STALL_MS - 1)
    expect(responses[0]!.destroyed).toBe(false)
    pass(1)
    expect(responses[0]!.destroyed).toBe(true)
  })

  it('[J101c] are disconnected in the middle of a stream', async () => {
    const { responses, pass } = await open((response) => response.write(LARGE))
    pass(0)
    pass(STALL_MS)
    expect(responses[0]!.destroyed).toBe(true)
  })

  it('[J101c] keep their connection if there is nothing to read', async () => {
    const { responses, pass } = await open((response) => response.flushHeaders())
    for (let look = 0; look < 10; look++) pass(STALL_MS)
    expect(responses[0]!.destroyed).toBe(false)
  })

  it('[J101c] do not wait for a reply that comes after another one', async () => {
    let isSecond = false
    const { socket, responses, pass } = await open((response) => {
      if (isSecond) response.end('second')
      isSecond = true
    })
    socket.write(REQUEST)
    while (responses.length < 2) await new Promise((resolve) => setImmediate(resolve))
    for (let look = 0; look < 10; look++) pass(STALL_MS)
    expect(responses.map(({ destroyed }) => destroyed)).toEqual([false, false])
  })

  it('[J101d] keep their connection as long as they read a little', async () => {
    const { socket, responses, pass } = await open((response) =>
      new NodeOutlet(response, { requestId: 'req_1' }).whole(200, 'text/plain', LARGE),
    )
    const response = responses[0]!
    for (let round = 0; round < 5; round++) {
      pass(STALL_MS - 1)
      const before = response.socket!.bytesWritten
      while (response.socket!.bytesWritten === before) await read(socket, 64 * 1024)
    }
    pass(STALL_MS - 1)
    expect(response.destroyed).toBe(false)
    let rest = 0
    socket.on('data', (data: Buffer) => (rest += data.length)).resume()
    await once(response, 'close')
    expect(rest).toBeGreaterThan(0)
  })
})
