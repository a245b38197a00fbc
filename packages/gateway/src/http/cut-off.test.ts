import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { cutOff } from './cut-off.ts'

it('reads no other request of a connection that is cut off, although a thousand have arrived', async () => {
  let read = 0
  const server = createServer((request) => {
    read += 1
    if (read === 10) cutOff(request.socket)
  })
  await once(server.listen(0), 'listening')
  onTestFinished(() => void server.close())
  const client = connect((server.address() as AddressInfo).port)
  client.on('error', () => {})
  client.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(1_000))
  await once(client, 'close')
  expect(read).toBe(10)
})
