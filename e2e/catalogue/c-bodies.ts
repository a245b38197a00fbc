import { zstdCompressSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { DEADLINE_MS } from '../harness/deadline.ts'
import { expectCompletion, expectError } from '../harness/client/expect-reply.ts'
import { FULL, HI, lastJob } from '../harness/start-system.ts'
import { system } from './shared-system.ts'

const { client } = system

const JSON_TYPE = { 'content-type': 'application/json' }
const VALID = JSON.stringify({ model: FULL, messages: HI })
const MIB = 1024 * 1024

async function send(body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = JSON_TYPE) {
  return client.call('/chat/completions', { method: 'POST', body, headers })
}

describe('JSON', () => {
  it.each(['', '{"model":}', `${VALID}x`])('[C23] rejects %j', async (body) => {
    const error = expectError(await send(body), { status: 400, code: 'invalid_json', param: null })
    expect(error.message).not.toContain(FULL)
  })

  it.each(['null', `[${VALID}]`])('[C24] rejects %s, which is not an object', async (body) => {
    expectError(await send(body), { status: 400, code: 'invalid_type' })
  })

  it.each([
    'application/json',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8; x=y',
    'APPLICATION/JSON',
    'application/vnd.api+json',
  ])('[C25] reads %s', async (type) => {
    expectCompletion(await send(VALID, { 'content-type': type }))
  })

  it('[C25] reads a body without a content type', async () => {
    expectCompletion(await send(Buffer.from(VALID), {}))
  })

  it('[C25b] reads a compressed body, and rejects another encoding', async () => {
    const compressed = new Uint8Array(zstdCompressSync(VALID))
    expectCompletion(await send(compressed, { ...JSON_TYPE, 'content-encoding': 'zstd' }))
    const answer = await send(VALID, { ...JSON_TYPE, 'content-encoding': 'compress' })
    expectError(answer, { status: 415, code: 'unsupported_content_encoding', param: null })
    expect(answer.headers.get('accept-encoding')).toBe('gzip, deflate, br, zstd')
  })

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'text/json5',
    'application/jsonl',
  ])('[C25] rejects %s', async (type) => {
    const error = expectError(await send(VALID, { 'content-type': type }), {
      status: 400,
      code: 'unsupported_content_type',
      param: null,
    })
    expect(error.message).toContain('application/json')
  })

  it('[C26c] uses the last of repeated keys', async () => {
    expectCompletion(
      await send(
        `{"model":"nope","temperature":"x","model":${JSON.stringify(FULL)},"messages":${JSON.stringify(HI)},"temperature":0.5}`,
      ),
    )
    expect(lastJob(system.full)).toMatchObject({ model: FULL, temperature: 0.5 })
  })

  it.each([
    ['NUL', 'a\\u0000b', 'a\u0000b'],
    ['a lone surrogate', 'a\\ud800b', 'a\uD800b'],
    ['a pair of surrogates', '\\ud83d\\ude00', '😀'],
    ['line separators', '\\u2028\\u2029\u2028', '\u2028\u2029\u2028'],
  ])('[C26e] reads %s in a string as text', async (_, escaped, content) => {
    expectCompletion(await send(VALID.replace('hi', escaped)))
    expect(lastJob(system.full).messages).toStrictEqual([{ role: 'user', content }])
  })
})

describe('size', () => {
  function padded(bytes: number): string {
    const start = `${VALID.slice(0, -1)},"padding":"`
    return `${start}${'x'.repeat(bytes - start.length - 2)}"}`
  }

  it('[C27] reads a body of 20 MiB', async () => {
    expectCompletion(await send(padded(20 * MIB)))
  })

  it('[C27] lets a client that sends too much read its 413', async () => {
    const error = expectError(await send(padded(20 * MIB + 1)), { status: 413, code: 'request_too_large' })
    expect(error.message).toContain(String(20 * MIB))
    expectCompletion(await send(VALID))
  })

  it('[C27] counts a body of unknown length while it arrives', async () => {
    const piece = new Uint8Array(MIB).fill(0x20)
    let pieces = 0
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => (pieces++ < 22 ? controller.enqueue(piece) : controller.close()),
    })
    const response = await fetch(`${client.base}/chat/completions`, {
      method: 'POST',
      headers: { ...JSON_TYPE, authorization: `Bearer ${client.key}` },
      body,
      duplex: 'half',
      signal: AbortSignal.timeout(DEADLINE_MS),
    })
    expect(response.status).toBe(413)
    expect(await response.json()).toMatchObject({ error: { code: 'request_too_large' } })
  })
})
