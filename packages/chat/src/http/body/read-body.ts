// Collects the bytes of a request, within the limits of size, shape and memory. A body that exceeds one is rejected at once and no longer
// kept, but read to its end, so that the client gets the error instead of a broken connection.

import type { IncomingMessage } from 'node:http'
import type { Reservation } from '../../budget/byte-budget.ts'
import { noRoom } from '../../no-room.ts'
import { ApiError } from '../../errors.ts'
import { JsonScan } from '../../json/json-scan.ts'
import { excessError, parseJson } from '../../json/parse-json.ts'
import { CollectedBytes, GROWTH } from './collected-bytes.ts'
import { openBody, undecodable, type BodySource } from './decode-body.ts'
import { readInTurns } from './read-in-turns.ts'

export interface Body {
  bytes: Buffer
  /** How many JSON values it has, roughly. */
  values: number
}

interface Limits {
  maxBytes: number
  /** 0 if the size is not declared: then the body counts as it arrives. */
  declaredBytes: number
  /** Memory that decoding takes on top of the body. */
  decoderBytes: number
  reservation: Reservation | undefined
}

/** For small bodies of requests that count for nobody. */
export async function readJson(request: IncomingMessage, maxBytes: number): Promise<unknown> {
  return parseJson((await readBody(request, maxBytes)).bytes)
}

/** `reservation` grows to the size of the body, even if it is rejected. The caller releases it. */
export async function readBody(request: IncomingMessage, maxBytes: number, reservation?: Reservation): Promise<Body> {
  const sentBytes = Number(request.headers['content-length'] ?? 0)
  if (sentBytes > maxBytes) throw tooLarge(maxBytes)
  checkContentType(request.headers['content-type'])
  const source = openBody(request)
  // A compressed body becomes larger than what is sent.
  const declaredBytes = source.encoding === undefined ? sentBytes : 0
  const full = reservation?.resize(declaredBytes + source.decoderBytes)
  if (full) {
    source.stop()
    throw noRoom(full)
  }
  return collect(request, source, { maxBytes, declaredBytes, decoderBytes: source.decoderBytes, reservation })
}

/** The same for a body that is here already. */
export function scanBody(bytes: Buffer, reservation: Reservation): Body {
  const full = reservation.resize(bytes.length)
  if (full) throw noRoom(full)
  const scan = new JsonScan()
  const excess = scan.take(bytes)
  if (excess) throw excessError(excess)
  return { bytes, values: scan.values }
}

function checkContentType(header: string | undefined): void {
  const type = header?.replace(/;.*/s, '').trim().toLowerCase()
  if (!type || type === 'application/json' || type.endsWith('+json')) return
  throw new ApiError(
    'unsupported_content_type',
    `Unsupported content type: '${type.slice(0, 64)}'. This API method only accepts 'application/json' requests, but you specified the header 'Content-Type: ${type.slice(0, 64)}'. Please try again with a supported content type.`,
  )
}

function collect(request: IncomingMessage, { stream, encoding, stop }: BodySource, limits: Limits): Promise<Body> {
  const { promise, resolve, reject } = Promise.withResolvers<Body>()
  const scan = new JsonScan()
  const collected = new CollectedBytes(limits.declaredBytes)
  const take = (chunk: Buffer) => {
    const fault = findFault(chunk, collected.size + chunk.length, scan, limits)
    if (!fault) return collected.add(chunk)
    collected.clear()
    stream.off('data', take)
    stop()
    reject(fault)
  }
  stream.on('data', take)
  // A decoder takes no more than it can, which slows down the request too.
  if (encoding === undefined) readInTurns(request)
  stream.once('end', () => {
    if (limits.decoderBytes > 0) limits.reservation?.resize(collected.size * GROWTH)
    resolve({ bytes: collected.all(), values: scan.values })
    // The listeners live as long as the request, which outlives its body by the whole reply.
    collected.clear()
  })
  request.once('error', () =>
    reject(new ApiError('bad_request', 'The connection was closed before the request was complete.')),
  )
  if (encoding !== undefined)
    stream.once('error', () => {
      stop()
      reject(undecodable(encoding))
    })
  return promise
}

function findFault(chunk: Buffer, size: number, scan: JsonScan, limits: Limits): ApiError | undefined {
  const { maxBytes, declaredBytes, decoderBytes, reservation } = limits
  if (size > maxBytes) return tooLarge(maxBytes)
  const full = declaredBytes === 0 ? reservation?.resize(size * GROWTH + decoderBytes) : undefined
  if (full) return noRoom(full)
  const excess = scan.take(chunk)
  return excess && excessError(excess)
}

function tooLarge(maxBytes: number): ApiError {
  return new ApiError(
    'request_too_large',
    `Maximum content size limit (${maxBytes} bytes) exceeded. Send a shorter conversation.`,
  )
}
