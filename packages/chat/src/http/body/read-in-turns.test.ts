import { once } from 'node:events'
import { createServer, request as send, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { dropUnread, readInTurns } from './read-in-turns.ts'

const MIB = 1024 * 1024
const MOST_IN_A_TURN = 256 * 1024

/** Sends a body, and lets it wait in the system until `read` begins. Returns the most bytes that one turn of the event loop took. */
async function measure(size: number, read: (request: IncomingMessage) => void): Promise<number> {
  const server = createServer()
  await once(server.listen(0), 'listening')
  onTestFinished(() => void server.close())
  const client = send({
    port: (server.address() as AddressInfo).port,
    method: 'POST',
    headers: { 'content-length': size },
  })
  // Nobody answers it.
  client.on('error', () => {})
  client.end(Buffer.alloc(size))
  const [request] = (await once(server, 'request')) as [IncomingMessage]
  const { socket } = request
  let most = 0
  let before = socket.bytesRead
  read(request)
  for (let isOver = false; !isOver; isOver = request.readableEnded) {
    await setImmediate()
    most = Math.max(most, socket.bytesRead - before)
    before = socket.bytesRead
  }
  client.destroy()
  return most
}

describe('a large body', () => {
  it('is read a little in each turn of the event loop', async () => {
    const most = await measure(8 * MIB, (request) => {
      request.on('data', () => {})
      readInTurns(request)
    })
    expect(most).toBeLessThanOrEqual(MOST_IN_A_TURN)
  })

  it('is dropped a little in each turn, if nobody reads it', async () => {
    const most = await measure(8 * MIB, dropUnread)
    expect(most).toBeLessThanOrEqual(MOST_IN_A_TURN)
  })
})
