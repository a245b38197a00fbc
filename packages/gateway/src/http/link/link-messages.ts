// The messages of a link, from the bytes that arrive. Nearly all are one text frame in one piece, which is read here: the library takes it
// through a stream, two events and seven views of its bytes, and with ten thousand links, most of that is memory that was not used for a
// second. Everything else is the library's: other frames, messages in pieces, and every error. So this reads less than the library, and
// never more.

import { isUtf8 } from 'node:buffer'
import { createRequire } from 'node:module'
import type { Writable } from 'node:stream'
import { WebSocket } from 'ws'

/** A text frame that is complete. */
const TEXT = 0x81
const MASKED = 0x80
const MASK_BYTES = 4
/** That of the message that is being read. */
const MASK = Buffer.alloc(MASK_BYTES)
/** Sizes from here on have two bytes of their own, or eight. */
const TWO_BYTES = 126
const EIGHT_BYTES = 127

/** The library's own reader. These fields say whether it is in the middle of a message; without them, it reads everything. */
interface Receiver extends Writable {
  readonly _state?: number
  readonly _bufferedBytes?: number
  readonly _fragmented?: number
}

type Unmask = (bytes: Buffer, mask: Buffer) => void

export class LinkMessages {
  readonly #webSocket: WebSocket
  readonly #receiver: Receiver
  /** To the library, whatever `readInstead` puts in its place. */
  readonly #pass: (chunk: Buffer) => boolean
  readonly #take: (text: string | undefined) => void
  #count = 0

  /** Calls `take` with the text of each message, in order; undefined if it is not text. */
  constructor(webSocket: WebSocket, take: (text: string | undefined) => void) {
    this.#webSocket = webSocket
    this.#receiver = receiverOf(webSocket)
    this.#pass = this.#receiver.write.bind(this.#receiver)
    this.#take = take
    webSocket.on('message', (data: Buffer, isBinary: boolean) => {
      this.#count += 1
      take(isBinary ? undefined : data.toString('utf8'))
    })
  }

  /** How many messages were complete so far. */
  get count(): number {
    return this.#count
  }

  /** False if the library can take no more for now. */
  read(chunk: Buffer): boolean {
    let start = 0
    while (this.#isBetweenMessages()) {
      const end = this.#readText(chunk, start)
      if (end === start) break
      if (end === chunk.length) return true
      start = end
    }
    return this.#pass(start === 0 ? chunk : chunk.subarray(start))
  }

  #isBetweenMessages(): boolean {
    const { _state, _bufferedBytes, _fragmented } = this.#receiver
    return _state === 0 && _bufferedBytes === 0 && _fragmented === 0 && this.#webSocket.readyState === WebSocket.OPEN
  }

  /** Returns where the message ends, or `start` if it is not for this reader. */
  #readText(chunk: Buffer, start: number): number {
    if (chunk[start] !== TEXT || chunk.length - start < 2 + MASK_BYTES) return start
    const size = (chunk[start + 1] ?? 0) - MASKED
    if (size < 0 || size === EIGHT_BYTES) return start
    const isLong = size === TWO_BYTES
    const mask = start + (isLong ? 4 : 2)
    const first = mask + MASK_BYTES
    const end = first + (isLong ? chunk.readUInt16BE(start + 2) : size)
    if (end > chunk.length) return start
    const bytes = chunk.subarray(first, end)
    for (let index = 0; index < MASK_BYTES; index++) MASK[index] = chunk[mask + index] ?? 0
    unmask(bytes, MASK)
    if (isUtf8(bytes)) {
      this.#count += 1
      this.#take(chunk.toString('utf8', first, end))
      return end
    }
    // The library says what is wrong with it.
    unmask(bytes, MASK)
    return start
  }
}

/** From now on, `read` gets what the library would have read. */
export function readInstead(webSocket: WebSocket, read: (chunk: Buffer) => boolean): void {
  Object.assign(receiverOf(webSocket), { write: read })
}

function receiverOf(webSocket: WebSocket): Receiver {
  return (webSocket as unknown as { _receiver: Receiver })._receiver
}

const unmask = findUnmask()

/** The native one, if it could be installed. */
function findUnmask(): Unmask {
  try {
    return (createRequire(import.meta.url)('bufferutil') as { unmask: Unmask }).unmask
  } catch {
    return (bytes, mask) => bytes.forEach((byte, index) => (bytes[index] = byte ^ (mask[index & 3] ?? 0)))
  }
}
