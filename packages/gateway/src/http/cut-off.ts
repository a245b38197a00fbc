// Ends a connection that has sent too many requests at once. Destroying its socket is not enough: node:http would first read all other
// requests of the chunk that has arrived, more than a thousand, and create objects for each.

import type { Socket } from 'node:net'

/** The part of node:http's parser that takes each request. */
interface Parser {
  onIncoming?: () => number
}

/** Tells the parser that the rest of the bytes is not HTTP. */
const READ_NO_MORE = 2

export function cutOff(socket: Socket & { parser?: Parser | null }): void {
  if (socket.parser) socket.parser.onIncoming = () => READ_NO_MORE
  socket.destroy()
}
