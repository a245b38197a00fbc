// Reads a large body a little in each turn of the event loop. Otherwise, one read of a connection takes up to two megabytes that have
// arrived, and a hundred connections that send at once would keep everyone else waiting for that long.

import type { IncomingMessage } from 'node:http'

/** The most that the system hands over at once. */
const CHUNK_BYTES = 64 * 1024

/** Call this together with your own listener for `data`. */
export function readInTurns(request: IncomingMessage): void {
  if (!isLarge(request)) return
  request.on('data', () => {
    request.pause()
    setImmediate(() => request.resume())
  })
}

/** Reads and drops what is left of a body, so that the client gets its reply instead of a broken connection. */
export function dropInTurns(request: IncomingMessage): void {
  readInTurns(request)
  request.resume()
}

/** The same for a body that nobody has begun to read. */
export function dropUnread(request: IncomingMessage): void {
  if (!request.complete && request.readableFlowing === null && isLarge(request)) dropInTurns(request)
}

/** Or of unknown size. */
function isLarge({ headers }: IncomingMessage): boolean {
  const declared = headers['content-length']
  return declared === undefined ? headers['transfer-encoding'] !== undefined : Number(declared) > CHUNK_BYTES
}
