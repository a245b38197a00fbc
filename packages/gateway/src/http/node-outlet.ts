// A reply over node:http.

import type { ServerResponse } from 'node:http'
import type { ByteBudget, Hold, Owner } from '../budget/byte-budget.ts'
import type { Outlet } from '../chat/outlet.ts'

const EXPOSED = 'x-request-id, x-service-ignored-params, retry-after'
const CORS = ['access-control-allow-origin', '*', 'access-control-expose-headers', EXPOSED]

const LAST_CHUNK = '0\r\n\r\n'

/** A larger body is sent in pieces of this size, so that a client that reads slowly can be told from one that does not read. */
const PIECE_BYTES = 256 * 1024

export class NodeOutlet implements Outlet {
  readonly requestId: string
  readonly #response: ServerResponse
  /** Name, value, name, value: the form that node:http writes without checking again. */
  readonly #headers: string[]
  #isOver = false
  /** The body is sent in chunks, which are framed here. */
  #isChunked = false
  /** Bytes of a whole reply that have not been passed to node:http yet. */
  #waitingBytes = 0
  #account: { budget: ByteBudget; owner: Owner } | undefined
  #hold: Hold | undefined
  readonly #onClose: (() => void)[] = []

  /** With `isForAnySite`, pages of every site may read the response. */
  constructor(response: ServerResponse, requestId: string, isForAnySite = true) {
    this.requestId = requestId
    this.#response = response
    this.#headers = ['x-request-id', requestId]
    if (isForAnySite) this.#headers.push(...CORS)
    // One listener for all: each would cost an object and a search when it is removed.
    response.on('close', () => {
      for (const listener of this.#onClose) listener()
    })
  }

  /** The reply is complete, or its client is gone. */
  onClose(listener: () => void): void {
    this.#onClose.push(listener)
  }

  /** From now on, bytes that the client does not read count for this owner. */
  chargeTo(budget: ByteBudget, owner: Owner): void {
    this.#account = { budget, owner }
  }

  /** 0 until the status is decided. */
  get status(): number {
    return this.#response.headersSent ? this.#response.statusCode : 0
  }

  header(name: string, value: string): void {
    this.#headers.push(name, value)
  }

  json(status: number, body: string): void {
    this.whole(status, 'application/json', body)
  }

  whole(status: number, contentType: string, body: string | Uint8Array): void {
    this.#isOver = true
    const size = Buffer.byteLength(body)
    this.#headers.push('content-type', contentType, 'content-length', String(size))
    this.#response.writeHead(status, this.#headers)
    if (body.length > PIECE_BYTES) this.#sendPieces(asBuffer(body))
    else if (typeof body === 'string') this.#response.end(body, encodingOf(body, size))
    else this.#response.end(body)
    this.#countSoon()
  }

  empty(status: number): void {
    this.#isOver = true
    this.#response.writeHead(status, this.#headers).end()
  }

  startStream(): void {
    this.#headers.push(
      'content-type',
      'text/event-stream; charset=utf-8',
      'cache-control',
      'no-cache, no-transform',
      'x-accel-buffering',
      'no',
    )
    this.#isChunked = this.#response.useChunkedEncodingByDefault
    if (this.#isChunked) this.#headers.push('transfer-encoding', 'chunked')
    this.#response.writeHead(200, this.#headers)
    // node:http would hand over the size, the text and the end of a chunk one by one. As one string, a chunk costs half.
    this.#response.chunkedEncoding = false
  }

  write(text: string): boolean {
    const size = Buffer.byteLength(text)
    return this.#response.write(this.#isChunked ? frameChunk(text, size) : text, encodingOf(text, size))
  }

  end(text: string): void {
    this.#isOver = true
    const size = Buffer.byteLength(text)
    this.#response.end(this.#isChunked ? frameChunk(text, size) + LAST_CHUNK : text, encodingOf(text, size))
    this.#countSoon()
  }

  destroy(): void {
    this.#isOver = true
    this.#response.destroy()
  }

  get bufferedBytes(): number {
    return this.#response.writableLength + this.#waitingBytes
  }

  holdUnread(): boolean {
    if (!this.#account) return true
    this.#hold ??= this.#openHold(this.#account.budget, this.#account.owner)
    return this.#hold.resize(this.bufferedBytes) === undefined
  }

  onDrain(listener: () => void): void {
    this.#response.once('drain', () => {
      this.#hold?.release()
      listener()
    })
  }

  onGone(listener: () => void): void {
    this.onClose(() => {
      if (!this.#isOver) listener()
    })
  }

  #openHold(budget: ByteBudget, owner: Owner): Hold {
    const hold = budget.open(owner)
    this.onClose(() => hold.release())
    return hold
  }

  // Most replies are gone at once. Others count as soon as the job that produced them no longer does.
  #countSoon(): void {
    if (this.bufferedBytes === 0) return
    setImmediate(() => {
      if (!this.#response.destroyed && !this.holdUnread()) this.#response.destroy()
    })
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
        if (this.#hold) this.#hold.resize(this.bufferedBytes)
      })
  }
}

/** An empty chunk would end the body. */
function frameChunk(text: string, size: number): string {
  return size === 0 ? '' : `${size.toString(16)}\r\n${text}\r\n`
}

/** Text without special characters is the same in both, and Latin-1 is copied as it is. */
function encodingOf(text: string, size: number): 'latin1' | 'utf8' {
  return size === text.length ? 'latin1' : 'utf8'
}

function asBuffer(body: string | Uint8Array): Buffer {
  return typeof body === 'string' ? Buffer.from(body) : Buffer.from(body.buffer, body.byteOffset, body.byteLength)
}
