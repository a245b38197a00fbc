// The other end of a WebSocket, byte by byte: for tests that send what no library would.

import { once } from 'node:events'
import type { Duplex } from 'node:stream'
import { Watchers } from './watchers.ts'

interface Received {
  opcode: number
  data: Buffer
}

const TEXT = 1
const CLOSE = 8
const PING = 9
const PONG = 10
const DEADLINE_MS = 20_000

export class RawPeer {
  readonly #stream: Duplex
  readonly #watchers = new Watchers()
  #arriving = Buffer.alloc(0)
  #received: Received[] = []

  /** Resolves once the response to the upgrade has arrived. The peer reads nothing further until it is asked to. */
  static async upgraded(stream: Duplex): Promise<RawPeer> {
    await once(stream, 'readable')
    const response: string = stream.read().toString()
    if (!response.startsWith('HTTP/1.1 101 ') || !response.endsWith('\r\n\r\n')) throw new Error(response)
    return new RawPeer(stream)
  }

  constructor(stream: Duplex) {
    this.#stream = stream
  }

  /** Writes a text message or a part of one. */
  write(text: string, { isFirst = true, isLast = true } = {}): void {
    this.#writeFrame((isLast ? 0x80 : 0) | (isFirst ? TEXT : 0), Buffer.from(text))
  }

  ping(text: string): void {
    this.#writeFrame(0x80 | PING, Buffer.from(text))
  }

  /** Begins a text message of this length. Its bytes are up to the test. */
  writeHeader(length: number): void {
    const header = Buffer.alloc(14)
    header[0] = 0x80 | TEXT
    header[1] = 0x80 | 127
    header.writeUInt32BE(length, 6)
    this.writeBytes(header)
  }

  writeBytes(bytes: Buffer): void {
    if (this.#stream.writable) this.#stream.write(bytes)
  }

  async read(): Promise<string> {
    return (await this.#next(TEXT)).toString()
  }

  async readPong(): Promise<string> {
    return (await this.#next(PONG)).toString()
  }

  async closed(): Promise<{ code: number; reason: string }> {
    const data = await this.#next(CLOSE)
    return { code: data.readUInt16BE(0), reason: data.subarray(2).toString() }
  }

  // A mask of zeros leaves the payload as it is.
  #writeFrame(first: number, payload: Buffer): void {
    const length =
      payload.length < 126 ? [0x80 | payload.length] : [0x80 | 126, payload.length >> 8, payload.length & 255]
    this.writeBytes(Buffer.concat([Buffer.from([first, ...length, 0, 0, 0, 0]), payload]))
  }

  async #next(opcode: number): Promise<Buffer> {
    if (this.#stream.listenerCount('data') === 0) this.#stream.on('data', (chunk: Buffer) => this.#take(chunk))
    const find = () => this.#received.find((frame) => frame.opcode === opcode)
    await this.#watchers.until(`a frame with opcode ${opcode}`, () => find() !== undefined, DEADLINE_MS)
    const found = find()!
    this.#received = this.#received.filter((frame) => frame !== found)
    return found.data
  }

  #take(chunk: Buffer): void {
    this.#arriving = Buffer.concat([this.#arriving, chunk])
    for (let frame = this.#readFrame(); frame !== undefined; frame = this.#readFrame()) this.#received.push(frame)
    this.#watchers.look()
  }

  #readFrame(): Received | undefined {
    const bytes = this.#arriving
    if (bytes.length < 4) return undefined
    const isLong = bytes[1] === 126
    const start = isLong ? 4 : 2
    const end = start + (isLong ? bytes.readUInt16BE(2) : bytes[1]!)
    if (bytes.length < end) return undefined
    this.#arriving = bytes.subarray(end)
    return { opcode: bytes[0]! & 15, data: bytes.subarray(start, end) }
  }
}
