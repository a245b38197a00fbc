// The bytes of an HTTP answer: with the right head or another one, in pieces of any size, and cut wherever.

import type { Random } from '@hearth/gateway/testing'
import { mutateBytes } from '../../inputs/mutate-bytes.ts'
import type { RawAnswer } from './raw-liar.ts'

interface Body {
  type: string
  text: string
}

const STATUSES = ['100 Continue', '101 Switching Protocols', '103 Early Hints', '200 OK', '204 No Content', '206 Part']
const MORE_STATUSES = ['304 Not Modified', '307 Elsewhere', '400 Bad', '401 No', '429 Slow', '500 Oops', '999 What']
const HEADERS = [
  'connection: upgrade\r\nupgrade: websocket',
  'content-encoding: gzip',
  'content-type: text/event-stream; charset=utf-16',
  'location: http://127.0.0.1:1/',
  'retry-after: -1',
  'set-cookie: a=b',
  'transfer-encoding: chunked',
  'trailer: x',
  'x-request-id: a b\u00FF"',
  'x-odd: \u00E9',
  `x-long: ${'x'.repeat(20_000)}`,
  'content-length: 5',
  'no colon',
]

export function tellHttp({ type, text }: Body, random: Random): RawAnswer {
  const { head, body } = frame(Buffer.from(text), random.pick(['length', 'chunked', 'until-close'] as const), random)
  const bytes = Buffer.from(writeHead('200 OK', [`content-type: ${type}`, ...head]))
  return { pieces: split(Buffer.concat([bytes, body]), random), after: head.length > 0 ? 'keep' : 'end' }
}

export function lieInHttp({ type, text }: Body, random: Random): RawAnswer {
  const { head, body } = frame(Buffer.from(text), random.pick(['length', 'chunked', 'until-close'] as const), random)
  const status = random.chance(0.5) ? '200 OK' : random.pick([...STATUSES, ...MORE_STATUSES])
  const headers = [`content-type: ${type}`, ...head, ...random.some(HEADERS, 0.1)]
  const whole = writeHead(status, random.chance(0.7) ? headers : random.some(headers, 0.5)) + body.toString('latin1')
  const bytes = Buffer.from(random.chance(0.6) ? whole : mutateBytes(whole, random, random.between(1, 2)), 'latin1')
  const sent = random.chance(0.7) ? bytes : bytes.subarray(0, random.between(0, bytes.length))
  return { pieces: split(sent, random), after: random.pick(['end', 'end', 'keep', 'reset'] as const) }
}

function writeHead(status: string, headers: readonly string[]): string {
  return `${[`HTTP/1.1 ${status}`, ...headers].join('\r\n')}\r\n\r\n`
}

function frame(
  body: Buffer,
  how: 'length' | 'chunked' | 'until-close',
  random: Random,
): { head: string[]; body: Buffer } {
  if (how === 'until-close') return { head: [], body }
  if (how === 'length') return { head: [`content-length: ${body.length}`], body }
  const chunks = split(body, random).flatMap((piece) => [`${piece.length.toString(16)}\r\n`, piece, '\r\n'])
  const parts = [...chunks, '0\r\n\r\n'].map((part) => (typeof part === 'string' ? Buffer.from(part) : part))
  return { head: ['transfer-encoding: chunked'], body: Buffer.concat(parts) }
}

/** None of them is empty. */
function split(bytes: Buffer, random: Random): Buffer[] {
  const most = random.pick([7, 100, 1_000, 100_000])
  const pieces: Buffer[] = []
  for (let at = 0, length = 0; at < bytes.length && pieces.length < 50; at += length) {
    length = pieces.length === 49 ? bytes.length - at : random.between(1, most)
    pieces.push(bytes.subarray(at, at + length))
  }
  return pieces
}
