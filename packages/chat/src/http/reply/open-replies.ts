// Remembers which requests of a connection still wait for the end of their reply. Bytes that are not HTTP may arrive at any time, and an
// error about them must not end up in the middle of a reply, or in place of one.

import type { ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

/**
 * A client may send requests before it has the replies to earlier ones. One read from a connection holds thousands of tiny requests, which
 * would all be answered before anyone else gets a turn.
 */
export const MOST_PER_CONNECTION = 32

export class OpenReplies {
  readonly #bySocket = new WeakMap<Duplex, Set<ServerResponse>>()

  /** False if too many requests of this connection already wait for their replies. */
  hasRoom(socket: Duplex): boolean {
    return (this.#bySocket.get(socket)?.size ?? 0) < MOST_PER_CONNECTION
  }

  add(response: ServerResponse): void {
    const open = this.#bySocket.get(response.req.socket)
    if (open) open.add(response)
    else this.#bySocket.set(response.req.socket, new Set([response]))
  }

  /** To be called once the response is closed. */
  remove(response: ServerResponse): void {
    this.#bySocket.get(response.req.socket)?.delete(response)
  }

  /** False if the next bytes that the client reads belong to a reply to an earlier, complete request. */
  mayAnswer(socket: Duplex): boolean {
    const [oldest, ...more] = this.#bySocket.get(socket) ?? []
    if (!oldest) return true
    return more.length === 0 && !oldest.req.complete && !oldest.headersSent
  }
}
