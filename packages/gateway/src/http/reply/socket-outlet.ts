// A reply on a bare socket: the head as one ready-made string, and most replies as a single write. The client can't tell it from a reply of
// node:http.

import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import {
  flat,
  CORS,
  EVENT_STREAM,
  KEEP_ALIVE,
  NO_SNIFF,
  toLines,
  encodingOf,
  frameChunk,
  LAST_CHUNK,
  PIECE_BYTES,
  ReplyOutlet,
} from '@hearth/chat'

const FIXED_LINES = flat(toLines([...NO_SNIFF, ...CORS]))
const STREAM_LINES = flat(`${toLines(EVENT_STREAM)}transfer-encoding: chunked\r\n`)
const LAST_LINES = flat(`${toLines(KEEP_ALIVE)}\r\n`)
const VALUE = /^[\t\x20-\x7e]*$/

export class SocketOutlet extends ReplyOutlet<Socket> {
  /** Lines that were added to the head. */
  #lines = ''
  /** The head of a stream, until its first write. */
  #head = ''
  #status = 0

  get status(): number {
    return this.#status
  }

  header(name: string, value: string): void {
    if (!VALUE.test(value)) throw new TypeError(`Cannot send the header ${name}: it has an invalid character`)
    this.#lines += `${name}: ${value}\r\n`
  }

  json(status: number, body: string, isAscii = false): void {
    this.isOver = true
    const size = isAscii ? body.length : Buffer.byteLength(body)
    const head = this.#start(status, `content-type: application/json\r\ncontent-length: ${size}\r\n`)
    if (body.length > PIECE_BYTES) this.sendPieces([Buffer.from(head + body)], () => this.#closeWhenSent())
    else {
      this.#send(head + body, encodingOf(body, size))
      this.#closeWhenSent()
    }
    this.countSoon()
  }

  startStream(): void {
    this.#head = this.#start(200, STREAM_LINES)
  }

  /** The connection is closed, however the reply ended. */
  gone(): void {
    this.closed()
  }

  protected writeText(text: string, size: number): boolean {
    const head = this.#head
    this.#head = ''
    return this.#send(head + frameChunk(text, size), encodingOf(text, size))
  }

  protected endText(text: string, size: number): void {
    const head = this.#head
    this.#head = ''
    this.#send(head + frameChunk(text, size) + LAST_CHUNK, encodingOf(text, size))
    this.#closeWhenSent()
  }

  #start(status: number, lines: string): string {
    this.#status = status
    return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nx-request-id: ${this.requestId}\r\n${FIXED_LINES}${this.#lines}${lines}Date: ${httpDate()}\r\n${LAST_LINES}`
  }

  // A client that has closed its side gets nothing more, as with node:http.
  #send(text: string, encoding: 'latin1' | 'utf8'): boolean {
    return this.target.writable ? this.target.write(text, encoding) : true
  }

  // A socket that takes no more bytes closes on its own.
  #closeWhenSent(): void {
    if (!this.target.writable) return
    if (this.target.writableLength === 0) this.closed()
    else this.target.write('', () => this.closed())
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
