// An answer as bytes on the connection: with an odd head, broken, or cut wherever.

import type { ServerResponse } from 'node:http'
import type { Random } from '@hearth/gateway/testing'
import { mutateBytes } from '../inputs/mutate-bytes.ts'

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

export function lieInHttp({ socket }: ServerResponse, text: string, random: Random): void {
  const body = Buffer.from(text).toString('latin1')
  const status = random.chance(0.5) ? '200 OK' : random.pick([...STATUSES, ...MORE_STATUSES])
  const length = random.chance(0.5) ? [`content-length: ${body.length}`] : []
  const headers = ['content-type: text/event-stream', ...length, ...random.some(HEADERS, 0.1)]
  const head = [`HTTP/1.1 ${status}`, ...(random.chance(0.7) ? headers : random.some(headers, 0.5))].join('\r\n')
  const whole = `${head}\r\n\r\n${body}`
  const bytes = random.chance(0.6) ? whole : mutateBytes(whole, random, random.between(1, 2))
  socket?.write(random.chance(0.7) ? bytes : bytes.slice(0, random.between(0, bytes.length)), 'latin1')
  if (random.chance(0.3)) socket?.resetAndDestroy()
  else socket?.end()
}
