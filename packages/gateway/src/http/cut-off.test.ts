import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { serveHere } from '@hearth/command-line/testing/serve-here'
import { expect, it } from 'vitest'
import { cutOff } from './cut-off.ts'

it('reads no other request of a connection that is cut off, although a thousand have arrived', async () => {
  let read = 0
  const server = createServer((request) => {
    read += 1
    if (read === 10) cutOff(request.socket)
  })
  const { port } = new URL(await serveHere(server))
  const client = connect(Number(port), '127.0.0.1')
  client.on('error', () => {})
  client.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(1_000))
  await once(client, 'close')
  expect(read).toBe(10)
})
