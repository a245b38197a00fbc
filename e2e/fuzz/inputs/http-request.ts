// Puts a request together, byte by byte, as a good client would or as a broken one does.

import type { Random } from '@hearth/gateway/testing'
import { toBytes, type HttpInput, type HttpStep } from '../input.ts'
import { mutateBytes } from './mutate-bytes.ts'
import { oddText } from './odd-values.ts'

export interface RequestPlan {
  method: string
  path: string
  headers: readonly (readonly [string, string])[]
  /** Undefined for a request without a body. */
  body?: string
}

const ODD_HEADERS: readonly (readonly [string, string])[] = [
  ['content-type', 'text/plain'],
  ['content-type', 'application/json; charset=utf-16'],
  ['content-encoding', 'gzip'],
  ['expect', '100-continue'],
  ['expect', 'miracles'],
  ['transfer-encoding', 'gzip, chunked'],
  ['content-length', '-1'],
  ['content-length', '99999999999'],
  ['authorization', 'Bearer'],
  ['authorization', 'Basic e30='],
  ['connection', 'keep-alive, Upgrade'],
  ['upgrade', 'websocket'],
  ['upgrade', 'h2c'],
  ['accept', 'nothing/*'],
  ['origin', 'https://evil.test'],
  ['range', 'bytes=0-0,5-2'],
  ['if-none-match', '*'],
  ['cookie', 'a=b; '.repeat(200)],
  ['x-forwarded-for', '::ffff:1.2.3.4, nonsense'],
  ['x-visitor-address', 'not an address'],
  ['x-long', 'x'.repeat(17_000)],
  ['host', ''],
]
const ODD_METHODS = ['HEAD', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE', 'CONNECT', 'M-SEARCH', 'FROB', 'get']

export function formatRequest(plan: RequestPlan, random: Random): HttpInput {
  const headers = [
    ['host', '{{HOST}}'] as const,
    // The gateway is set to trust this header: limits by address must not stop the fuzzer.
    ['x-visitor-address', `10.${random.between(0, 255)}.${random.between(0, 255)}.${random.between(0, 255)}`] as const,
    ...(random.chance(0.9) ? [['connection', 'close'] as const] : []),
    ...plan.headers,
    ...random.some(ODD_HEADERS, 0.01),
  ]
  const method = random.chance(0.05) ? random.pick(ODD_METHODS) : plan.method
  const path = random.chance(0.05) ? oddPath(plan.path, random) : plan.path
  const { framing, body } = frameBody(plan.body, random)
  const lines = [...headers, ...framing].map(([name, value]) => `${name}: ${value}\r\n`).join('')
  const head = toBytes(`${method} ${path} HTTP/1.1\r\n${lines}\r\n`)
  const bytes = random.chance(0.1) ? mutateBytes(head + body, random, random.between(1, 4)) : head + body
  return { kind: 'http', steps: deliver(bytes, random) }
}

function oddPath(path: string, random: Random): string {
  return random.pick([
    () => `${path}?${encodeURIComponent(oddText(random).toWellFormed())}`,
    () => path.replaceAll('/', '//'),
    () => `${path}/`,
    () => `http://elsewhere.test${path}`,
    () => `${path}%00`,
    () => `${path}/%ff%fe/%`,
    () => `/${'a'.repeat(9_000)}`,
    () => '*',
    () => mutateBytes(path, random, 2),
  ])()
}

/** A body with its length, in chunks, or with a wrong length. */
function frameBody(body: string | undefined, random: Random): { framing: [string, string][]; body: string } {
  if (body === undefined) return { framing: [], body: '' }
  const bytes = toBytes(body)
  if (random.chance(0.85)) return { framing: [['content-length', String(bytes.length)]], body: bytes }
  if (random.chance(0.5)) return { framing: [['transfer-encoding', 'chunked']], body: chunk(bytes, random) }
  const wrong = Math.max(0, bytes.length + random.pick([-1, 1, -100, 100, 10_000]))
  return { framing: [['content-length', String(wrong)]], body: bytes }
}

function chunk(bytes: string, random: Random): string {
  const size = random.pick([1, 7, 1_000, 100_000])
  let chunked = ''
  for (let at = 0; at < Math.min(bytes.length, size * 200); at += size) {
    const piece = bytes.slice(at, at + size)
    chunked += `${piece.length.toString(16)}${random.chance(0.02) ? ';x=y' : ''}\r\n${piece}\r\n`
  }
  return random.chance(0.1) ? mutateBytes(chunked, random, 2) : `${chunked}0\r\n\r\n`
}

/** Mostly at once; sometimes in pieces, with pauses, or not to the end. */
function deliver(bytes: string, random: Random): HttpStep[] {
  if (random.chance(0.85)) return [{ do: 'send', bytes }]
  const at = random.between(0, bytes.length)
  const halves: HttpStep[] = [
    { do: 'send', bytes: bytes.slice(0, at) },
    { do: 'pause', ms: random.between(0, 20) },
    { do: 'send', bytes: bytes.slice(at) },
  ]
  return random.pick<() => HttpStep[]>([
    () => halves,
    () => [...halves.slice(0, 2), { do: 'reset' }],
    () => [...halves, { do: 'reset' }],
    () => [...halves, { do: 'half-close' }],
    () => [{ do: 'stop-reading' }, ...halves],
    () => [...halves, { do: 'send', bytes }],
    () => halves.slice(0, 2),
  ])()
}
