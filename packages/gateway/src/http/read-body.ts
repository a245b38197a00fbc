// Turns the bytes of a request into a JSON value. A body that is too large is discarded but read to its end, so that the client gets the
// error instead of a broken connection.

import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { ApiError } from '../errors.ts'
import { isDeeperThan } from './json-depth.ts'

const MAX_DEPTH = 64
const HINT = `(HINT: This likely means you aren't using your HTTP library correctly. The service expects a JSON payload.)`

export async function readJson(request: IncomingMessage, maxBytes: number): Promise<unknown> {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes)
  checkContentType(request.headers['content-type'])
  return parseJson(await readBytes(request, maxBytes))
}

function checkContentType(header: string | undefined): void {
  const type = header?.split(';', 1)[0]!.trim().toLowerCase()
  if (!type || type === 'application/json' || type.endsWith('+json')) return
  throw new ApiError(
    'unsupported_content_type',
    `Unsupported content type: '${type.slice(0, 64)}'. This API method only accepts 'application/json' requests, but you specified the header 'Content-Type: ${type.slice(0, 64)}'. Please try again with a supported content type.`,
  )
}

function readBytes(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  const chunks: Buffer[] = []
  let size = 0
  const collect = (chunk: Buffer) => {
    size += chunk.length
    if (size <= maxBytes) chunks.push(chunk)
    else {
      request.off('data', collect).resume()
      reject(tooLarge(maxBytes))
    }
  }
  request.on('data', collect)
  request.once('end', () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)))
  request.once('error', () =>
    reject(new ApiError('bad_request', 'The connection was closed before the request was complete.')),
  )
  return promise
}

export function parseJson(bytes: Buffer): unknown {
  if (bytes.length === 0)
    throw new ApiError('invalid_json', `We could not parse the JSON body of your request: it is empty. ${HINT}`)
  if (!isUtf8(bytes))
    throw new ApiError(
      'invalid_json',
      `We could not parse the JSON body of your request: it is not valid UTF-8. ${HINT}`,
    )
  if (isDeeperThan(MAX_DEPTH, bytes))
    throw new ApiError(
      'invalid_json',
      `We could not parse the JSON body of your request: it is nested more than ${MAX_DEPTH} levels deep.`,
    )
  try {
    return JSON.parse(withoutByteOrderMark(bytes.toString('utf8')))
  } catch {
    throw new ApiError('invalid_json', `We could not parse the JSON body of your request. ${HINT}`)
  }
}

function withoutByteOrderMark(text: string): string {
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text
}

function tooLarge(maxBytes: number): ApiError {
  return new ApiError(
    'request_too_large',
    `Maximum content size limit (${maxBytes} bytes) exceeded. Send a shorter conversation.`,
  )
}
