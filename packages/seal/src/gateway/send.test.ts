import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { send } from './send.ts'

it.each([
  ['hangs up', ''],
  ['switches to another protocol', 'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'],
])('a gateway that %s is one that cannot be reached', async (_, answer) => {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => socket.end(answer))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const gateway = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  const sent = send(gateway, { method: 'GET', path: '/', headers: {}, signal: new AbortController().signal })
  await expect(sent).rejects.toThrow(/hang up|without an answer/)
  server.close()
})
