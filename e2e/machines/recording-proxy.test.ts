import { once } from 'node:events'
import { createServer, get, type IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { expect, it } from 'vitest'
import { listen } from '../harness/connections/listen.ts'
import { isHere, startRecordingProxy } from './recording-proxy.ts'

it('notes the host of every request and tunnel, and passes both on', async () => {
  await using server = await listen(createServer((_asked, response) => response.end('there')))
  await using proxy = await startRecordingProxy()
  const [answer] = (await once(get(proxy.origin, { path: `${server.origin}/plain` }), 'response')) as [IncomingMessage]
  expect(await answer.setEncoding('utf8').toArray()).toStrictEqual(['there'])
  expect([...proxy.seen]).toStrictEqual(['127.0.0.1'])

  const path = new URL(server.origin).host.replace('127.0.0.1', 'localhost')
  const [opened, tunnel] = (await once(get(proxy.origin, { method: 'CONNECT', path }), 'connect')) as [
    IncomingMessage,
    Socket,
  ]
  expect(opened.statusCode).toBe(200)
  tunnel.write('GET / HTTP/1.0\r\n\r\n')
  expect(String(await tunnel.setEncoding('utf8').toArray())).toContain('there')
  expect([...proxy.seen]).toStrictEqual(['127.0.0.1', 'localhost'])
})

it.each(['localhost', 'hearth.localhost', '127.0.0.1', '127.1.2.3', '[::1]', '0.0.0.0', '169.254.0.1', '[fe80::1]'])(
  'knows %s as this machine',
  (host) => {
    expect(isHere(host)).toBe(true)
  },
)

it('takes no other host for this machine', () => {
  expect(['registry.example.com', '10.255.255.1', '[2001:db8::1]'].filter(isHere)).toStrictEqual([])
})
