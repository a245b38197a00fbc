// A reply over node:http.

import type { ServerResponse } from 'node:http'
import { encodingOf, frameChunk, LAST_CHUNK, PIECE_BYTES, ReplyOutlet } from './reply-outlet.ts'
import { CORS, EVENT_STREAM } from './reply-headers.ts'

export class NodeOutlet extends ReplyOutlet {
  readonly #response: ServerResponse
  /** Name, value, name, value: the form that node:http writes without checking again. */
  readonly #headers: string[]
  /** The body is sent in chunks, which are framed here. */
  #isChunked = false
  /** Bytes of a whole reply that have not been passed to node:http yet. */
  #waitingBytes = 0

  /** With `isForAnySite`, pages of every site may read the response. */
  constructor(response: ServerResponse, requestId: string, isForAnySite = true) {
    super(requestId)
    this.#response = response
    this.#headers = ['x-request-id', requestId]
    if (isForAnySite) this.#headers.push(...CORS)
    // One listener for all: each would cost an object and a search when it is removed.
    response.on('close', () => this.closed())
  }

  get status(): number {
    return this.#response.headersSent ? this.#response.statusCode : 0
  }

  get bufferedBytes(): number {
    return this.#response.writableLength + this.#waitingBytes
  }

  header(name: string, value: string): void {
    this.#headers.push(name, value)
  }

  /** The connection ends with this reply. */
  closeConnection(): void {
    this.#response.shouldKeepAlive = false
  }

  json(status: number, body: string): void {
    this.whole(status, 'application/json', body)
  }

  whole(status: number, contentType: string, body: string | Uint8Array): void {
    this.isOver = true
    const size = Buffer.byteLength(body)
    this.#headers.push('content-type', contentType, 'content-length', String(size))
    this.#response.writeHead(status, this.#headers)
    if (body.length > PIECE_BYTES) this.#sendPieces(asBuffer(body))
    else if (typeof body === 'string') this.#response.end(body, encodingOf(body, size))
    else this.#response.end(body)
    this.countSoon()
  }

  empty(status: number): void {
    this.isOver = true
    this.#response.writeHead(status, this.#headers).end()
  }

  startStream(): void {
    this.#headers.push(...EVENT_STREAM)
    this.#isChunked = this.#response.useChunkedEncodingByDefault
    if (this.#isChunked) this.#headers.push('transfer-encoding', 'chunked')
    this.#response.writeHead(200, this.#headers)
    // node:http would hand over the size, the text and the end of a chunk one by one. As one string, a chunk costs half.
    this.#response.chunkedEncoding = false
  }

  write(text: string, isAscii = false): boolean {
    const size = isAscii ? text.length : Buffer.byteLength(text)
    return this.#response.write(this.#isChunked ? frameChunk(text, size) : text, encodingOf(text, size))
  }

  end(text: string, isAscii = false): void {
    this.isOver = true
    const size = isAscii ? text.length : Buffer.byteLength(text)
    this.#response.end(this.#isChunked ? frameChunk(text, size) + LAST_CHUNK : text, encodingOf(text, size))
    this.countSoon()
  }

  destroy(): void {
    this.isOver = true
    this.#response.destroy()
  }

  protected onceDrained(listener: () => void): void {
    this.#response.once('drain', listener)
  }

  #sendPieces(rest: Buffer): void {
    const isTaken = this.#response.write(rest.subarray(0, PIECE_BYTES))
    const more = rest.subarray(PIECE_BYTES)
    this.#waitingBytes = more.length
    if (more.length === 0) this.#response.end()
    else if (isTaken) this.#sendPieces(more)
    else
      this.#response.once('drain', () => {
        this.#sendPieces(more)
        this.recount()
      })
  }
}

function asBuffer(body: string | Uint8Array): Buffer {
  return typeof body === 'string' ? Buffer.from(body) : Buffer.from(body.buffer, body.byteOffset, body.byteLength)
}
