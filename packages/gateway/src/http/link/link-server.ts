// The WebSocket end of device links. The library closes a connection that breaks its rules on its
// own, with a bare number; here it also says why, because the owner of the device will read it.

import { MAX_FRAGMENTS, MAX_FRAME_BYTES } from '@hearth/protocol'
import { WebSocket, WebSocketServer, type ServerOptions } from 'ws'

/** How long a device may take to confirm a close. */
const CLOSE_MS = 5_000
/** Pieces of a WebSocket frame that wait for the rest of it. Networks deliver more than 512 bytes at a time. */
const MAX_BUFFERED_CHUNKS = 2 * 1024

const EXPLANATIONS: Readonly<Record<number, string>> = {
  1002: 'not a valid WebSocket frame',
  1007: 'a message must be UTF-8',
  1008: 'a message came in too many pieces',
  1009: `a message must have at most ${MAX_FRAME_BYTES} bytes`,
}

class LinkWebSocket extends WebSocket {
  override close(code?: number, reason?: string | Buffer): void {
    super.close(code, reason ?? (code === undefined ? undefined : EXPLANATIONS[code]))
  }
}

/** The library's types don't include the last option yet. */
interface LinkServerOptions extends ServerOptions<typeof LinkWebSocket> {
  closeTimeout: number
}

export function createLinkServer(): WebSocketServer {
  const options: LinkServerOptions = {
    noServer: true,
    WebSocket: LinkWebSocket,
    perMessageDeflate: false,
    maxPayload: MAX_FRAME_BYTES,
    maxFragments: MAX_FRAGMENTS,
    maxBufferedChunks: MAX_BUFFERED_CHUNKS,
    clientTracking: false,
    // The library would queue an answer to every ping, even for a device that never reads.
    autoPong: false,
    closeTimeout: CLOSE_MS,
  }
  return new WebSocketServer(options)
}
