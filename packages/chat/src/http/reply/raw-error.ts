// Writes an error to a bare socket: where node:http has no response object, the client still gets the reference API's error body.

import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { ApiError, errorBody } from '../../errors.ts'
import { newRequestId } from '../../ids.ts'
import type { OpenReplies } from './open-replies.ts'

const CLOSE_MS = 5_000

/** With `isForAnySite`, pages of every site may read it. */
export function writeRawError(socket: Duplex, error: ApiError, isForAnySite = true): void {
  // node:http no longer listens for errors on a socket that it gave away, and an error that nobody listens for ends the process.
  socket.on('error', () => socket.destroy())
  if (!socket.writable) return void socket.destroy()
  const body = errorBody(error)
  const headers = {
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    'x-request-id': newRequestId(),
    'x-content-type-options': 'nosniff',
    ...(isForAnySite && { 'access-control-allow-origin': '*' }),
    connection: 'close',
    ...error.headers,
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  // Closing at once could keep the client from reading the error, but it may also never close its own side.
  setTimeout(() => socket.destroy(), CLOSE_MS).unref()
  socket.end(`HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}\r\n${lines.join('')}\r\n${body}`)
}

/** Answers a request that node:http could not read: too slow, too large, not HTTP. */
export function answerBrokenRequest(
  error: NodeJS.ErrnoException,
  socket: Duplex,
  replies: OpenReplies,
  isForAnySite = true,
): void {
  if (error.code === 'ECONNRESET' || !replies.mayAnswer(socket)) return void socket.destroy()
  writeRawError(socket, brokenRequestError(error.code), isForAnySite)
}

function brokenRequestError(code: string | undefined): ApiError {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new ApiError('request_timeout', 'The request took too long to arrive. Send it again.')
  if (code === 'HPE_HEADER_OVERFLOW')
    return new ApiError(
      'headers_too_large',
      'The request headers are too large. The limit is 16 KiB and 1,000 headers.',
    )
  return new ApiError('bad_request', 'The request is not valid HTTP/1.1.')
}
