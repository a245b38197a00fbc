import { connect } from 'node:net'
import { once } from 'node:events'
import { afterAll, describe, expect, it } from 'vitest'
import { startSystem } from '../harness/start-system.ts'

const system = await startSystem({ devices: 'none' })
afterAll(async () => system[Symbol.asyncDispose]())

/** Sends bytes and returns the response, up to the end of the error. */
async function send(request: string): Promise<string> {
  const { hostname, port } = new URL(system.origin)
  const socket = connect(Number(port), hostname)
  let text = ''
  socket.setEncoding('utf8').on('data', (data: string) => (text += data))
  socket.write(request)
  while (!text.endsWith('}}')) await once(socket, 'data')
  socket.destroy()
  return text
}

describe('unusual requests', () => {
  it('[A15] get the usual error format without a host', async () => {
    const text = await send('GET /openai/v1/models HTTP/1.1\r\n\r\n')
    expect(text).toMatch(/^HTTP\/1\.1 400 /)
    expect(text).toContain('"code":"bad_request"')
  })

  it('[A15] are served despite an unknown expectation', async () => {
    const text = await send('GET /openai/v1/models HTTP/1.1\r\nHost: x\r\nExpect: miracles\r\n\r\n')
    expect(text).toMatch(/^HTTP\/1\.1 401 /)
  })

  it('[A15] are served over HTTP/1.1 when they offer another protocol', async () => {
    const upgrade = 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n'
    expect(await send(`GET /openai/v1/models HTTP/1.1\r\nHost: x\r\n${upgrade}\r\n`)).toMatch(/^HTTP\/1\.1 401 /)
  })

  it('[A15] are rejected when they ask for a proxy', async () => {
    const text = await send('CONNECT example.org:443 HTTP/1.1\r\nHost: example.org:443\r\n\r\n')
    expect(text).toContain('"code":"bad_request"')
  })
})
