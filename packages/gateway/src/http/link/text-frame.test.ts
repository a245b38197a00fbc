import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { writeText } from './text-frame.ts'

/** A server that sends this text as soon as a client is there, and what the client got. */
async function received(text: string): Promise<string> {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false })
  onTestFinished(() => server.close())
  await once(server, 'listening')
  server.on('connection', (_webSocket, request) => writeText(request.socket, text))
  const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`, { maxPayload: 0 })
  const [data, isBinary] = (await once(client, 'message')) as [Buffer, boolean]
  client.terminate()
  expect(isBinary).toBe(false)
  return data.toString('utf8')
}

describe('a text frame', () => {
  it.each([0, 1, 125, 126, 127, 255, 256, 65_535, 65_536, 1_048_576])('carries %i bytes', async (size) => {
    const text = 'x'.repeat(size)
    expect(await received(text)).toBe(text)
  })

  it.each(['é', '漢字'.repeat(50), `${'😀'.repeat(20_000)} `])('carries text that is not ASCII', async (text) => {
    expect(await received(text)).toBe(text)
  })
})
