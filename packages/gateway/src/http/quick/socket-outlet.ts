// A reply on a bare socket: the head as one ready-made string, and most replies as a single write. The client can't tell it from a reply of
// node:http.

import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { flat } from '../../flat.ts'
import { CORS, EVENT_STREAM, toLines } from '../reply-headers.ts'
import { encodingOf, frameChunk, LAST_CHUNK, PIECE_BYTES, ReplyOutlet } from '../reply-outlet.ts'

const CORS_LINES = flat(toLines(CORS))
const STREAM_LINES = flat(`${toLines(EVENT_STREAM)}transfer-encoding: chunked\r\n`)
const VALUE = /^[\t\x20-\x7e]*$/

export class SocketOutlet extends ReplyOutlet {
  readonly #socket: Socket
  /** The last lines of every head: whether the connection stays open, and how long. */
  readonly #closing: string
  /** Lines that were added to the head. */
  #lines = ''
  /** The head of a stream, until its first write. */
  #head = ''
  #status = 0
  /** Bytes of a whole reply that have not been passed to the socket yet. */
  #waitingBytes = 0

  constructor(socket: Socket, requestId: string, closing: string) {
    super(requestId)
    this.#socket = socket
    this.#closing = closing
  }

  get status(): number {
    return this.#status
  }

  get bufferedBytes(): number {
    return this.#socket.writableLength + this.#waitingBytes
  }

  header(name: string, value: string): void {
    if (!VALUE.test(value)) throw new TypeError(`Cannot send the header ${name}: it has an invalid character`)
    this.#lines += `${name}: ${value}\r\n`
  }

  json(status: number, body: string, isAscii = false): void {
    this.isOver = true
    const size = isAscii ? body.length : Buffer.byteLength(body)
    const head = this.#start(status, `content-type: application/json\r\ncontent-length: ${size}\r\n`)
    if (body.length > PIECE_BYTES) this.#sendPieces(Buffer.from(head + body))
    else {
      this.#send(head + body, encodingOf(body, size))
      this.#closeWhenSent()
    }
    this.countSoon()
  }

  startStream(): void {
    this.#head = this.#start(200, STREAM_LINES)
  }

  write(text: string, isAscii = false): boolean {
    return this.#sendChunk(text, isAscii ? text.length : Buffer.byteLength(text), '')
  }

  end(text: string, isAscii = false): void {
    this.isOver = true
    this.#sendChunk(text, isAscii ? text.length : Buffer.byteLength(text), LAST_CHUNK)
    this.#closeWhenSent()
    this.countSoon()
  }

  destroy(): void {
    this.isOver = true
    this.#socket.destroy()
  }

  /** The connection is closed, whatever became of the reply. */
  gone(): void {
    this.closed()
  }

  protected onceDrained(listener: () => void): void {
    this.#socket.once('drain', listener)
  }

  #start(status: number, lines: string): string {
    this.#status = status
    return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nx-request-id: ${this.requestId}\r\n${CORS_LINES}${this.#lines}${lines}Date: ${httpDate()}\r\n${this.#closing}\r\n`
  }

  #sendChunk(text: string, size: number, last: string): boolean {
    const head = this.#head
    this.#head = ''
    return this.#send(head + frameChunk(text, size) + last, encodingOf(text, size))
  }

  // A client that has closed its side gets nothing more, as with node:http.
  #send(text: string, encoding: 'latin1' | 'utf8'): boolean {
    return this.#socket.writable ? this.#socket.write(text, encoding) : true
  }

  #sendPieces(rest: Buffer): void {
    const isTaken = this.#socket.write(rest.subarray(0, PIECE_BYTES))
    const more = rest.subarray(PIECE_BYTES)
    this.#waitingBytes = more.length
    if (more.length === 0) return this.#closeWhenSent()
    if (isTaken) return this.#sendPieces(more)
    this.#socket.once('drain', () => {
      this.#sendPieces(more)
      this.recount()
    })
  }

  // A socket that takes no more bytes closes by itself.
  #closeWhenSent(): void {
    if (!this.#socket.writable) return
    if (this.#socket.writableLength === 0) this.closed()
    else this.#socket.write('', () => this.closed())
  }
}

let second = 0
let date = ''

/** Made once a second. */
function httpDate(): string {
  const now = Math.floor(Date.now() / 1000)
  if (now !== second) date = new Date(now * 1000).toUTCString()
  second = now
  return date
}
