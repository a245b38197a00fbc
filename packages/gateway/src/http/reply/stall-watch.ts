// Disconnects clients that stop reading their reply. Whatever the reply is, a stream that has ended, a file or an error: its bytes stay in
// our memory until the client takes them. One timer looks at all open replies, so that a reply that is read costs nothing.

/** A response of node:http, or a connection without it. */
export interface Watched {
  /** Null while a reply to an earlier request of the connection comes first. */
  readonly socket: { readonly bytesWritten: number; readonly writableLength: number } | null
  /** Bytes that wait to be sent. */
  readonly writableLength: number
  destroy(): unknown
}

interface Stalled {
  /** The bytes that the connection had sent by then. */
  sentBytes: number
  since: number
}

/** How often replies are looked at within the time limit. */
const LOOKS = 4

export class StallWatch {
  readonly #stallMs: number
  readonly #now: () => number
  readonly #open = new Set<Watched>()
  readonly #stalled = new Map<Watched, Stalled>()
  readonly #timer: NodeJS.Timeout

  constructor(stallMs: number, now = () => performance.now()) {
    this.#stallMs = stallMs
    this.#now = now
    this.#timer = setInterval(() => this.look(), Math.max(1, stallMs / LOOKS)).unref()
  }

  add(response: Watched): void {
    this.#open.add(response)
  }

  /** To be called once the response is closed. */
  remove(response: Watched): void {
    this.#open.delete(response)
    this.#stalled.delete(response)
  }

  look(): void {
    const now = this.#now()
    for (const response of this.#open) this.#lookAt(response, now)
  }

  close(): void {
    clearInterval(this.#timer)
  }

  #lookAt(response: Watched, now: number): void {
    const { socket, writableLength } = response
    if (writableLength === 0 || socket === null) return void this.#stalled.delete(response)
    const sentBytes = socket.bytesWritten - socket.writableLength
    const before = this.#stalled.get(response)
    if (before?.sentBytes !== sentBytes) return void this.#stalled.set(response, { sentBytes, since: now })
    if (now - before.since >= this.#stallMs) response.destroy()
  }
}
