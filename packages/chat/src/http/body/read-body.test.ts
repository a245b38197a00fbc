import type { IncomingMessage } from 'node:http'
import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { ByteBudget } from '../../budget/byte-budget.ts'
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { readBody } from './read-body.ts'

const MIB = 1024 * 1024
const CALLER = { organization: 'acme', key: 'k' }

function requestOf(headers: Record<string, string> = {}): PassThrough & IncomingMessage {
  return Object.assign(new PassThrough(), { headers }) as unknown as PassThrough & IncomingMessage
}

describe('reading a body', () => {
  it('[C23] puts the chunks together, however small they are', async () => {
    const request = requestOf()
    const text = JSON.stringify({ messages: ['é'.repeat(500)] })
    for (const byte of Buffer.from(text)) request.write(Buffer.of(byte))
    request.end()
    const { bytes, values } = await readBody(request, MIB)
    expect(bytes.toString()).toBe(text)
    expect(values).toBe(2)
  })

  it('[C26f] refuses a body with too many values before it has arrived, and reads on to its end', async () => {
    const request = requestOf()
    const reading = readBody(request, 20 * MIB)
    request.write(`{"x":[${'[],'.repeat(300_000)}`)
    await expect(reading).rejects.toMatchObject({ code: 'invalid_json', status: 400 })
    for (let chunk = 0; chunk < 100; chunk++) request.write('[],'.repeat(10_000))
    request.end()
    await new Promise((resolve) => request.once('close', resolve))
  })

  it('[H82c] refuses a declared size that the key has no room for before anything has arrived', async () => {
    const budget = new ByteBudget(9 * MIB)
    const first = budget.open(CALLER)
    void readBody(requestOf({ 'content-length': String(2 * MIB) }), 20 * MIB, first)
    const second = budget.open(CALLER)
    await expect(readBody(requestOf({ 'content-length': String(2 * MIB) }), 20 * MIB, second)).rejects.toMatchObject({
      code: 'rate_limit_exceeded',
      status: 429,
      headers: { 'retry-after': '5' },
    })
    expect(budget.usedBytes).toBe(2 * MIB)
  })

  it('[H82c] refuses a body of unknown size once the key has no more room', async () => {
    const budget = new ByteBudget(3 * MIB)
    const reservation = budget.open(CALLER)
    const request = requestOf({ 'transfer-encoding': 'chunked' })
    const reading = readBody(request, 20 * MIB, reservation)
    for (let chunk = 0; chunk < 17; chunk++) request.write(Buffer.alloc(64 * 1024, ' '))
    await expect(reading).rejects.toMatchObject({ status: 429 })
  })

  it('[H82d] says that the gateway is full if others use the memory', async () => {
    const budget = new ByteBudget(10 * MIB)
    for (const organization of ['b', 'c', 'd'])
      for (let key = 0; key < 20; key++) budget.open({ organization, key: `${organization}${key}` }).resize(MIB / 4)
    for (const organization of ['b', 'c', 'd'])
      while (budget.open({ organization, key: `${organization} more` }).resize(16 * 1024) === undefined);
    await expect(
      readBody(requestOf({ 'content-length': String(4 * MIB) }), 20 * MIB, budget.open(CALLER)),
    ).rejects.toMatchObject({ code: 'service_unavailable', status: 503, headers: { 'retry-after': '5' } })
  })

  it('[C27] names the size before the memory', async () => {
    const budget = new ByteBudget(MIB)
    await expect(
      readBody(requestOf({ 'content-length': String(30 * MIB) }), 20 * MIB, budget.open(CALLER)),
    ).rejects.toMatchObject({ status: 413 })
  })
})

describe('reading a compressed body', () => {
  const TEXT = JSON.stringify({ messages: ['é'.repeat(500)] })
  const BOMB = Buffer.alloc(30 * MIB, ' ')

  function sent(encoding: string, bytes: Buffer): PassThrough & IncomingMessage {
    const request = requestOf({ 'content-encoding': encoding, 'content-length': String(bytes.length) })
    request.end(bytes)
    return request
  }

  it.each([
    ['gzip', gzipSync(TEXT)],
    ['x-gzip', gzipSync(TEXT)],
    ['deflate', deflateSync(TEXT)],
    ['br', brotliCompressSync(TEXT)],
    ['zstd', zstdCompressSync(TEXT)],
    ['GZIP', gzipSync(TEXT)],
    ['identity', Buffer.from(TEXT)],
  ])('[C25b] decodes %s', async (encoding, bytes) => {
    const { bytes: body } = await readBody(sent(encoding, bytes), MIB)
    expect(body.toString()).toBe(TEXT)
  })

  it.each([
    ['gzip', gzipSync(BOMB)],
    ['br', brotliCompressSync(BOMB)],
    ['zstd', zstdCompressSync(BOMB)],
  ])('[C25b] cuts a bomb of %s at the limit, and reads the request to its end', async (encoding, bytes) => {
    const request = sent(encoding, bytes)
    await expect(readBody(request, MIB)).rejects.toMatchObject({ code: 'request_too_large', status: 413 })
    if (!request.closed) await new Promise((resolve) => request.once('close', resolve))
  })

  it('[C25b] counts the memory of what is decoded, not of what is sent', async () => {
    const budget = new ByteBudget(3 * MIB)
    const reservation = budget.open(CALLER)
    await expect(readBody(sent('gzip', gzipSync(BOMB)), 20 * MIB, reservation)).rejects.toMatchObject({ status: 429 })
    reservation.release()
    expect(budget.usedBytes).toBe(0)
  })

  it.each(['compress', 'gzip, br', 'constructor'])(
    '[C25b] refuses %s, and says what is supported',
    async (encoding) => {
      await expect(readBody(sent(encoding, Buffer.from(TEXT)), MIB)).rejects.toMatchObject({
        code: 'unsupported_content_encoding',
        status: 415,
        message: expect.stringContaining('gzip, deflate, br, zstd') as string,
        headers: { 'accept-encoding': 'gzip, deflate, br, zstd' },
      })
    },
  )

  it.each([
    ['gzip', Buffer.from(TEXT)],
    ['gzip', gzipSync(TEXT).subarray(0, -12)],
    ['zstd', Buffer.from(TEXT)],
    ['br', Buffer.from(TEXT)],
  ])('[C25d] refuses a body that is not %s', async (encoding, bytes) => {
    const reading = readBody(sent(encoding, bytes), MIB)
    await expect(reading).rejects.toMatchObject({ code: 'bad_request', status: 400 })
  })
})
