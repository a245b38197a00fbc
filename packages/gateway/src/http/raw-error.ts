// Writes an error to a bare socket: where node:http has no response object, the client still gets the reference API's error body.

import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { errorBody, type ApiError } from '../errors.ts'
import { randomHex } from '../ids.ts'

export function writeRawError(socket: Duplex, error: ApiError): void {
  if (!socket.writable) return void socket.destroy()
  const body = errorBody(error)
  const headers = {
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    'x-request-id': `req_${randomHex(16)}`,
    'access-control-allow-origin': '*',
    connection: 'close',
    ...error.headers,
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}\r\n${lines.join('')}\r\n${body}`)
}
