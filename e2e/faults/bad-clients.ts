// Input that no honest client sends, over real sockets. Each case must get an error or be disconnected, and a bystander must not notice.

import { afterAll, describe, expect, it } from 'vitest'
import { expectCompletion, expectError } from '../harness/client/expect-reply.ts'
import { exchange, openLine, parseReply, requestHead } from '../harness/client/raw-http.ts'
import { FULL, HI, startSystem } from '../harness/start-system.ts'
import { system } from './shared-system.ts'

/** Gives up on slow requests early. Only requests that never end are sent to it: no machine is too slow for them. */
const impatient = await startSystem({ settings: { BODY_TIMEOUT_MS: '1500' }, devices: 'none' })
afterAll(async () => impatient[Symbol.asyncDispose]())
const { client, origin } = system

const JSON_TYPE = { 'content-type': 'application/json' }
const BEARER: [string, string] = ['authorization', `Bearer ${client.key}`]
const CHAT = '/openai/v1/chat/completions'

async function send(body: string | Uint8Array<ArrayBuffer>) {
  return client.call('/chat/completions', { method: 'POST', body, headers: JSON_TYPE })
}

describe('bodies', () => {
  it.each(['[', '{"a":', '[{"a":['])('[K105] a million levels of %s', async (open) => {
    expectError(await send(open.repeat(1_000_000)), { status: 400, code: 'invalid_json' })
  })

  it('[K105] bytes that are not text', async () => {
    const noise = Uint8Array.from({ length: 100_000 }, (_, index) => (index * 151 + 128) % 256)
    expectError(await send(noise), { status: 400, code: 'invalid_json' })
    expectError(await send(new Uint8Array(1000)), { status: 400, code: 'invalid_json' })
    expectError(await send(Uint8Array.from([0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00])), {
      status: 400,
      code: 'invalid_json',
    })
  })

  it('[K105] NUL and lone surrogates in every string', async () => {
    const odd = '\u0000\uD800x\uDC00'
    const answer = await client.post({
      model: FULL,
      messages: [{ role: 'user', content: odd, name: odd }],
      stop: [odd],
      user: odd,
      metadata: { [odd]: odd },
      [odd]: odd,
      response_format: { type: 'json_schema', json_schema: { name: 'n', schema: { enum: [odd], [odd]: 1 } } },
    })
    expectCompletion(answer)
    expectError(await client.post({ model: odd, messages: HI }), { status: 404, code: 'model_not_found' })
    expectError(await client.post({ model: FULL, messages: [{ role: odd, content: 'x' }] }), {
      status: 400,
      code: 'invalid_value',
    })
    expectError(
      await client.post({ model: FULL, messages: HI, tools: [{ type: 'function', function: { name: odd } }] }),
      { status: 400, code: 'invalid_value' },
    )
  })

  it('[K105] keys that mean something to JavaScript', async () => {
    const names = ['__proto__', 'constructor', 'prototype', 'toString', 'valueOf', 'toJSON', 'then', '__defineGetter__']
    const poison = names
      .map((name) => `${JSON.stringify(name)}:{"stream":true,"n":8,"role":"user","content":"x"}`)
      .join(',')
    const answer = await send(
      `{${poison},"model":${JSON.stringify(FULL)},"messages":[{${poison},"role":"user","content":"hi"}],"tools":[],"logit_bias":{},${poison}}`,
    )
    expect(expectCompletion(answer).choices).toHaveLength(1)
    expectError(await send(`{"model":"__proto__","messages":[{"role":"user","content":"x"}]}`), {
      status: 404,
      code: 'model_not_found',
    })
    expectError(await send(`{"model":"constructor","messages":[{"role":"__proto__","content":"x"}]}`), {
      status: 400,
      code: 'invalid_value',
    })
    expectError(await client.call('/models/__proto__'), { status: 404, code: 'model_not_found' })
  })

  it('[K105] many thousand keys, parts and choices', async () => {
    const fields = Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`k${index}`, index]))
    const parts = Array.from({ length: 50_000 }, () => ({ type: 'text', text: 'x' }))
    expectCompletion(await client.post({ ...fields, model: FULL, messages: [{ role: 'user', content: parts }] }))
    expectError(await client.post({ model: FULL, messages: HI, stop: Array.from({ length: 100_000 }, () => 'x') }), {
      status: 400,
      code: 'array_above_max_length',
    })
    expectError(await client.post({ model: FULL, messages: HI, n: 1e308 }), {
      status: 400,
      code: 'integer_above_max_value',
    })
    expectError(
      await send(`{"model":${JSON.stringify(FULL)},"messages":[{"role":"user","content":"x"}],"max_tokens":1e999}`),
      { status: 400, code: 'invalid_type' },
    )
  })
})

describe('connections', () => {
  it('[C27a] [K105] a body that stops arriving', async () => {
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

  it('[K105] a head that never ends', async () => {
    await using line = await openLine(impatient.origin)
    line.socket.write(`GET /openai/v1/models HTTP/1.1\r\nhost: x\r\nx-slow: `)
    const drip = setInterval(() => line.socket.write('x'), 200)
    const text = await line.ended.finally(() => clearInterval(drip))
    expect(parseReply(text).status).toBe(408)
  })

  it('[K105] two hundred half-open connections', async () => {
    const lines = await Promise.all(Array.from({ length: 200 }, async () => openLine(origin)))
    for (const [index, line] of lines.entries())
      if (index % 2 === 0) line.socket.write(requestHead('POST', CHAT, [BEARER, ['content-length', '9']]))
    expectCompletion(await client.post({ model: FULL, messages: HI }))
    for (const line of lines) line.socket.destroy()
  })

  it('[K105] a client that closes its side after the request', async () => {
    await using line = await openLine(origin)
    const body = JSON.stringify({ model: FULL, messages: HI })
    line.socket.end(
      requestHead('POST', CHAT, [BEARER, ['content-length', String(body.length)], ['connection', 'close']]) + body,
    )
    const text = await line.ended
    expect(text === '' || parseReply(text).status === 200).toBe(true)
  })

  it('[K105] a connection reset in the middle of a body', async () => {
    for (let round = 0; round < 20; round += 1) {
      await using line = await openLine(origin)
      line.socket.write(`${requestHead('POST', CHAT, [BEARER, ['content-length', '100000']])}{"mod`)
      line.socket.resetAndDestroy()
    }
    await system.metricReaches('hearth_leases', 1)
  })

  it('[J101a] [K105] a client that stops reading is disconnected, and its device stops', async () => {
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

  it('[K105] broken chunks', async () => {
    const head = requestHead('POST', CHAT, [BEARER, ['transfer-encoding', 'chunked']])
    for (const chunk of ['zz\r\n{}\r\n0\r\n\r\n', '-1\r\n\r\n', 'ffffffffffffffffff\r\n{}']) {
      const reply = parseReply(await exchange(origin, head, chunk))
      expect(reply.status).toBe(400)
      expect(JSON.parse(reply.body)).toMatchObject({ error: { type: 'invalid_request_error' } })
    }
  })

  it('[K105] requests that hide a second one', async () => {
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

  it('[K105] an expected 100-continue, which works as usual', async () => {
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
