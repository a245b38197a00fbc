// Requests that node:http could not read: too slow, too large, not HTTP.

import type { Duplex } from 'node:stream'
import { ApiError } from '../../errors.ts'
import type { OpenReplies } from './open-replies.ts'
import { writeRawError } from './raw-error.ts'

/** With `isForAnySite`, pages of every site may read the error. */
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
