// Remembers which requests of a connection still wait for the end of their reply. Bytes that are not HTTP may arrive at any time, and an
// error about them must not end up in the middle of a reply, or in place of one.

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

interface OpenReply {
  request: IncomingMessage
  response: ServerResponse
}

export class OpenReplies {
  readonly #bySocket = new WeakMap<Duplex, Set<OpenReply>>()

  add(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request
    const open = this.#bySocket.get(socket) ?? new Set()
    const reply = { request, response }
    this.#bySocket.set(socket, open.add(reply))
    response.once('close', () => open.delete(reply))
  }

  /** False if the next bytes that the client reads belong to a reply to an earlier, complete request. */
  mayAnswer(socket: Duplex): boolean {
    const [oldest, ...more] = this.#bySocket.get(socket) ?? []
    if (!oldest) return true
    return more.length === 0 && !oldest.request.complete && !oldest.response.headersSent
  }
}
