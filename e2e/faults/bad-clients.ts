// What no honest client does to its connection, over real sockets. Each case must get an error or be disconnected, and a bystander must not
// notice. Bodies that no honest client sends are in packages/chat, and in the inputs of the fuzzer.

import { afterAll, describe, expect, it } from 'vitest'
import { expectCompletion } from '../harness/client/expect-reply.ts'
import { exchange, openLine, parseReply, requestHead } from '../harness/client/raw-http.ts'
import { FULL, HI, startSystem } from '../harness/start-system.ts'
import { system } from './shared-system.ts'

/** Gives up on slow requests early. Only requests that never end are sent to it: no machine is too slow for them. */
const impatient = await startSystem({ settings: { BODY_TIMEOUT_MS: '1500' }, devices: 'none' })
afterAll(async () => impatient[Symbol.asyncDispose]())
const { client, origin } = system

const BEARER: [string, string] = ['authorization', `Bearer ${client.key}`]
const CHAT = '/openai/v1/chat/completions'

describe('connections', () => {
  it('[C27a] a body that stops arriving', async () => {
    await using line = await openLine(impatient.origin)
    line.socket.write(
      `${requestHead('POST', CHAT, [
        ['authorization', `Bearer ${impatient.keys.home}`],
        ['content-type', 'application/json'],
        ['content-length', '1000'],
      ])}{"model":`,
    )
    const reply = parseReply(await line.ended)
    expect(reply.status).toBe(408)
    expect(JSON.parse(reply.body)).toMatchObject({ error: { code: 'request_timeout' } })
  })

  it('a head that never ends', async () => {
    await using line = await openLine(impatient.origin)
    line.socket.write(`GET /openai/v1/models HTTP/1.1\r\nhost: x\r\nx-slow: `)
    const drip = setInterval(() => line.socket.write('x'), 200)
    const text = await line.ended.finally(() => clearInterval(drip))
    expect(parseReply(text).status).toBe(408)
  })

  it('two hundred half-open connections', async () => {
    const lines = await Promise.all(Array.from({ length: 200 }, async () => openLine(origin)))
    for (const [index, line] of lines.entries())
      if (index % 2 === 0) line.socket.write(requestHead('POST', CHAT, [BEARER, ['content-length', '9']]))
    expectCompletion(await client.post({ model: FULL, messages: HI }))
    for (const line of lines) line.socket.destroy()
  })

  it('a client that closes its side after the request', async () => {
    await using line = await openLine(origin)
    const body = JSON.stringify({ model: FULL, messages: HI })
    line.socket.end(
      requestHead('POST', CHAT, [BEARER, ['content-length', String(body.length)], ['connection', 'close']]) + body,
    )
    const text = await line.ended
    expect(text === '' || parseReply(text).status === 200).toBe(true)
  })

  it('a connection reset in the middle of a body', async () => {
    for (let round = 0; round < 20; round += 1) {
      await using line = await openLine(origin)
      line.socket.write(`${requestHead('POST', CHAT, [BEARER, ['content-length', '100000']])}{"mod`)
      line.socket.resetAndDestroy()
    }
    await system.metricReaches('hearth_leases', 1)
  })

  it('[J101a] a client that stops reading is disconnected, and its device stops', async () => {
    system.full.plan = { text: Array.from({ length: 2000 }, () => 'x'.repeat(64 * 1024)) }
    await using line = await openLine(origin)
    const body = JSON.stringify({ model: FULL, messages: HI, stream: true })
    line.socket.pause()
    line.socket.write(requestHead('POST', CHAT, [BEARER, ['content-length', String(body.length)]]) + body)
    const job = await system.full.job(system.full.jobs.length)
    system.full.plan = {}
    await system.full.until('the job was cancelled', () => job.state === 'cancelled')
    expect(job.cancels).toStrictEqual(['client-stalled'])
    expect(job.pauses).toBeGreaterThan(0)
  })

  it('broken chunks', async () => {
    const head = requestHead('POST', CHAT, [BEARER, ['transfer-encoding', 'chunked']])
    for (const chunk of ['zz\r\n{}\r\n0\r\n\r\n', '-1\r\n\r\n', 'ffffffffffffffffff\r\n{}']) {
      const reply = parseReply(await exchange(origin, head, chunk))
      expect(reply.status).toBe(400)
      expect(JSON.parse(reply.body)).toMatchObject({ error: { type: 'invalid_request_error' } })
    }
  })

  it('requests that hide a second one', async () => {
    const body = JSON.stringify({ model: FULL, messages: HI })
    const smuggled = `GET /openai/v1/models HTTP/1.1\r\nhost: x\r\n\r\n`
    const headers: [string, string][] = [
      BEARER,
      ['content-length', String(body.length)],
      ['transfer-encoding', 'chunked'],
    ]
    const text = await exchange(origin, requestHead('POST', CHAT, headers) + body + smuggled)
    expect(text.match(/HTTP\/1\.1 \d{3}/g)).toStrictEqual(['HTTP/1.1 400'])
  })

  it('an expected 100-continue, which works as usual', async () => {
    await using line = await openLine(origin)
    const body = JSON.stringify({ model: FULL, messages: HI })
    line.socket.write(
      requestHead('POST', CHAT, [BEARER, ['content-length', String(body.length)], ['expect', '100-continue']]),
    )
    await line.heard(/^HTTP\/1\.1 100/)
    line.socket.write(body)
    await line.heard(/HTTP\/1\.1 200/)
  })
})

/** Sends bytes and returns the response, up to the end of the error. */
async function sendLines(request: string): Promise<string> {
  await using line = await openLine(origin)
  line.socket.write(request)
  return await line.heard(/\}\}$/)
}

describe('unusual requests', () => {
  it('[A15] get the usual error format without a host', async () => {
    const text = await sendLines('GET /openai/v1/models HTTP/1.1\r\n\r\n')
    expect(text).toMatch(/^HTTP\/1\.1 400 /)
    expect(text).toContain('"code":"bad_request"')
  })

  it('[A15] are served despite an unknown expectation', async () => {
    const text = await sendLines('GET /openai/v1/models HTTP/1.1\r\nHost: x\r\nExpect: miracles\r\n\r\n')
    expect(text).toMatch(/^HTTP\/1\.1 401 /)
  })

  it('[A15] are served over HTTP/1.1 when they offer another protocol', async () => {
    const upgrade = 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n'
    expect(await sendLines(`GET /openai/v1/models HTTP/1.1\r\nHost: x\r\n${upgrade}\r\n`)).toMatch(/^HTTP\/1\.1 401 /)
  })

  it('[A15] are rejected when they ask for a proxy', async () => {
    const text = await sendLines('CONNECT example.org:443 HTTP/1.1\r\nHost: example.org:443\r\n\r\n')
    expect(text).toContain('"code":"bad_request"')
  })
})
