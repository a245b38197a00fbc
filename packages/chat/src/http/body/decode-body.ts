// Bodies that the client compressed. They are decoded as they arrive, so that the limits of size, shape and memory apply to what comes out.

import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { constants, createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib'
import { ApiError } from '../../errors.ts'
import { dropInTurns } from './read-in-turns.ts'

export interface BodySource {
  stream: Readable
  /** Undefined if the body is sent as it is. */
  encoding: string | undefined
  /** The memory that decoding takes at most, on top of the body. */
  decoderBytes: number
  /** Stops decoding; the rest of the request is read and dropped. */
  stop: () => void
}

interface Decoding {
  create: () => NodeJS.ReadWriteStream & Readable
  decoderBytes: number
}

const MIB = 1024 * 1024
/** The largest window that RFC 9659 allows in HTTP. */
const ZSTD_WINDOW_LOG = 23

const DECODINGS: Readonly<Record<string, Decoding>> = {
  gzip: { create: () => createGunzip(), decoderBytes: 64 * 1024 },
  deflate: { create: () => createInflate(), decoderBytes: 64 * 1024 },
  br: { create: () => createBrotliDecompress(), decoderBytes: 16 * MIB },
  zstd: {
    create: () => createZstdDecompress({ params: { [constants.ZSTD_d_windowLogMax]: ZSTD_WINDOW_LOG } }),
    decoderBytes: 8 * MIB,
  },
}
const NAMES = Object.keys(DECODINGS)

/** Throws a 415 for an encoding that isn't supported. */
export function openBody(request: IncomingMessage): BodySource {
  const encoding = encodingOf(request)
  if (encoding === undefined) return { stream: request, encoding, decoderBytes: 0, stop: () => dropInTurns(request) }
  const decoding = Object.hasOwn(DECODINGS, encoding) ? DECODINGS[encoding] : undefined
  if (decoding === undefined) throw unsupported(encoding)
  const decoder = request.pipe(decoding.create())
  const stop = () => {
    request.unpipe(decoder)
    dropInTurns(request)
    decoder.destroy()
  }
  request.once('error', stop)
  return { stream: decoder, encoding, decoderBytes: decoding.decoderBytes, stop }
}

function encodingOf({ headers }: IncomingMessage): string | undefined {
  const encoding = headers['content-encoding']?.trim().toLowerCase()
  if (encoding === undefined || encoding === '' || encoding === 'identity') return undefined
  return encoding.replace(/^x-gzip$/, 'gzip')
}

export function undecodable(encoding: string): ApiError {
  return new ApiError(
    'bad_request',
    `The body can't be decoded as ${encoding.slice(0, 64)}, which its Content-Encoding says it is.`,
  )
}

function unsupported(encoding: string): ApiError {
  return new ApiError(
    'unsupported_content_encoding',
    `Unsupported content encoding: '${encoding.slice(0, 64)}'. Send the body uncompressed, or compressed with one of these: ${NAMES.join(', ')}.`,
    null,
    { 'accept-encoding': NAMES.join(', ') },
  )
}
