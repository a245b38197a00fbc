import { describe, expect, it } from 'vitest'
import { readQuickRequest } from './read-quick-request.ts'

const LINE = 'POST /openai/v1/chat/completions HTTP/1.1'
const HEADERS = ['host: x', 'authorization: Bearer k', 'content-type: application/json', 'content-length: 2']

const MAX_BODY_BYTES = 1_000_000

function read(line: string, headers: readonly string[], body = '{}') {
  return readQuickRequest(Buffer.from([line, ...headers, '', body].join('\r\n'), 'latin1'), MAX_BODY_BYTES)
}

/** The usual headers, with one of them replaced. */
function withHeader(header: string): string[] {
  const name = header.split(':', 1)[0]!.toLowerCase()
  return [...HEADERS.filter((each) => !each.startsWith(`${name}:`)), header]
}

describe('the head of a plain chat request', () => {
  it('is read, with the place of its body', () => {
    const head = `${[LINE, ...HEADERS].join('\r\n')}\r\n\r\n`
    expect(read(LINE, HEADERS)).toEqual({
      kind: 'plain',
      authorization: 'Bearer k',
      client: undefined,
      bodyStart: head.length,
      bodyEnd: head.length + 2,
    })
  })

  it('[A15a] has what the client calls the request', () => {
    const client = { requestId: 'order-17', traceparent: `00-${'1'.repeat(32)}-${'2'.repeat(16)}-01` }
    const sent = [`X-Request-Id: ${client.requestId}`, `traceparent: ${client.traceparent}`]
    expect(read(LINE, [...HEADERS, ...sent])).toMatchObject({ client })
    expect(read(LINE, [...HEADERS, 'x-request-id: a b'])).toMatchObject({ client: undefined })
    expect(read(LINE, [...HEADERS, 'x-request-id: a', 'x-request-id: b'])).toBeUndefined()
  })

  it('is read if the request is sealed', () => {
    expect(read('POST /sealed/v1/chat/completions HTTP/1.1', HEADERS)).toMatchObject({ kind: 'sealed' })
  })

  it.each([
    ['Authorization:Bearer k'],
    ['content-type: application/json; charset=utf-8'],
    ['Content-Type: Application/JSON'],
    ['connection: Keep-Alive'],
    ['x-stainless-lang: js'],
    ['content-length:\t2 '],
  ])('may have the header %j', (header) => {
    expect(read(LINE, withHeader(header))).toMatchObject({ authorization: 'Bearer k' })
  })

  it.each([
    'GET /openai/v1/chat/completions HTTP/1.1',
    'POST /openai/v1/chat/completions HTTP/1.0',
    'POST /openai/v1/chat/completions?a=b HTTP/1.1',
    'POST /openai/v1//chat/completions HTTP/1.1',
    'POST http://x/openai/v1/chat/completions HTTP/1.1',
    ' POST /openai/v1/chat/completions HTTP/1.1',
    'PO',
  ])('is left to node:http if it starts with %j', (line) => {
    expect(read(line, HEADERS)).toBeUndefined()
  })

  it.each([
    'transfer-encoding: chunked',
    'Transfer-Encoding: identity',
    'content-encoding: gzip',
    'expect: 100-continue',
    'upgrade: websocket',
    'trailer: x',
    'connection: close',
    'connection: keep-alive, upgrade',
    'content-type: text/plain',
    'content-length: 2, 2',
    'content-length: +2',
    'content-length: 0x2',
    'content-length:',
    'content-length: 1000001',
    'content-length: 99999999999',
    'host:',
    'x-note: caf\u00e9',
    'x-note: a\u0000b',
    'x-note: a\nauthorization: b',
    'x-note: a\rb',
    'x note: a',
    'x-note : a',
    ' folded: a',
    'no colon',
    ': no name',
    `x-long: ${'a'.repeat(9_000)}`,
  ])('is left to node:http if it has the line %j', (header) => {
    expect(read(LINE, withHeader(header))).toBeUndefined()
  })

  it.each(HEADERS)('is left to node:http without %j, or with two of it', (header) => {
    expect(
      read(
        LINE,
        HEADERS.filter((each) => each !== header),
      ),
    ).toBeUndefined()
    expect(read(LINE, [...HEADERS, header])).toBeUndefined()
  })

  it('is left to node:http if it has more than a hundred headers', () => {
    const notes = Array.from({ length: 96 }, () => 'a:')
    expect(read(LINE, [...HEADERS, ...notes])).toBeDefined()
    expect(read(LINE, [...HEADERS, ...notes, 'a:'])).toBeUndefined()
  })

  it('is left to node:http if only a part of it is here', () => {
    const whole = Buffer.from(`${[LINE, ...HEADERS].join('\r\n')}\r\n\r\n`)
    for (let length = 0; length < whole.length; length++)
      expect(readQuickRequest(whole.subarray(0, length), MAX_BODY_BYTES)).toBeUndefined()
    expect(readQuickRequest(whole, MAX_BODY_BYTES)).toBeDefined()
  })
})
