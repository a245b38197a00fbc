// A reply over node:http.

import type { ServerResponse } from 'node:http'
import type { ClientIds } from '@hearth/protocol'
import { encodingOf, frameChunk, LAST_CHUNK, PIECE_BYTES, ReplyOutlet } from './reply-outlet.ts'
import { dropUnread } from '../body/read-in-turns.ts'
import { noRoom } from '../../no-room.ts'
import { CORS, EVENT_STREAM, NO_SNIFF } from './reply-headers.ts'
import type { SharedBytes } from './shared-bytes.ts'

export class NodeOutlet extends ReplyOutlet<ServerResponse> {
  /** Name, value, name, value: the form that node:http writes without checking again. */
  readonly #headers: string[]
  /** The body is sent in chunks, which are framed here. */
  #isChunked = false

  /** With `isForAnySite`, pages of every site may read the response. */
  constructor(response: ServerResponse, client: ClientIds | undefined, isForAnySite = true) {
    super(response, client)
    this.#headers = ['x-request-id', this.requestId, ...NO_SNIFF]
    if (isForAnySite) this.#headers.push(...CORS)
    // One listener for all: each would cost an object and a search when it is removed.
    response.on('close', () => this.closed())
  }

  get status(): number {
    return this.target.headersSent ? this.target.statusCode : 0
  }

  header(name: string, value: string): void {
    this.#headers.push(name, value)
  }

  /** The connection ends with this reply. */
  closeConnection(): void {
    this.target.shouldKeepAlive = false
  }

  json(status: number, body: string): void {
    this.whole(status, 'application/json', body)
  }

  whole(status: number, contentType: string, body: string | Uint8Array): void {
    this.isOver = true
    dropUnread(this.target.req)
    const size = Buffer.byteLength(body)
    this.#headers.push('content-type', contentType, 'content-length', String(size))
    this.target.writeHead(status, this.#headers)
    if (body.length > PIECE_BYTES) this.sendPieces([asBuffer(body)], () => this.target.end())
    else if (typeof body === 'string') this.target.end(body, encodingOf(body, size))
    else this.target.end(body)
    this.countSoon()
  }

  /** A body of parts that other replies send too: nothing is copied. Throws an ApiError if there is no room for them. */
  shared(status: number, contentType: string, parts: readonly SharedBytes[]): void {
    for (const part of parts) {
      const full = part.enter()
      if (full) throw noRoom(full)
      this.onClose(() => part.leave())
    }
    this.isOver = true
    dropUnread(this.target.req)
    const size = parts.reduce((sum, { bytes }) => sum + bytes.length, 0)
    this.#headers.push('content-type', contentType, 'content-length', String(size))
    this.target.writeHead(status, this.#headers)
    this.sendPieces(
      parts.map(({ bytes }) => bytes),
      () => this.target.end(),
      true,
    )
    this.countSoon()
  }

  /** A body of bytes that come one after another: write them to the response below, as fast as the client reads. */
  startBytes(status: number, size: number): void {
    this.#headers.push('content-type', 'application/octet-stream', 'content-length', String(size))
    this.target.writeHead(status, this.#headers)
  }

  empty(status: number): void {
    this.isOver = true
    dropUnread(this.target.req)
    this.target.writeHead(status, this.#headers).end()
  }

  startStream(): void {
    this.#headers.push(...EVENT_STREAM)
    this.#isChunked = this.target.useChunkedEncodingByDefault
    if (this.#isChunked) this.#headers.push('transfer-encoding', 'chunked')
    this.target.writeHead(200, this.#headers)
    // node:http would hand over the size, the text and the end of a chunk one by one. As one string, a chunk costs half.
    this.target.chunkedEncoding = false
  }

  protected writeText(text: string, size: number): boolean {
    return this.target.write(this.#isChunked ? frameChunk(text, size) : text, encodingOf(text, size))
  }

  protected endText(text: string, size: number): void {
    this.target.end(this.#isChunked ? frameChunk(text, size) + LAST_CHUNK : text, encodingOf(text, size))
  }
}

function asBuffer(body: string | Uint8Array): Buffer {
  return typeof body === 'string' ? Buffer.from(body) : Buffer.from(body.buffer, body.byteOffset, body.byteLength)
}
