// The link's view of one connection to the gateway. The rest of the link doesn't know WebSockets, so tests can connect it to a gateway in
// memory.

export interface LinkSocket {
  /** `sent` is called once the text has left this process. */
  send(text: string, sent: () => void): void
  /** Sends a WebSocket ping, below the frames; the answer arrives as `onSign`. */
  probe(): void
  close(code: number, reason: string): void
  /** Closes without a handshake. `onClose` follows. */
  terminate(): void
}

export interface SocketListener {
  onMessage(text: string): void
  /** The answer to a probe. */
  onSign(): void
  onClose(code: number, reason: string): void
}

export type DialResult =
  | { kind: 'open'; socket: LinkSocket }
  /** The gateway, or something in front of it, returned a status other than 101. */
  | { kind: 'rejected'; status: number; retryAfterMs?: number }
  | { kind: 'failed'; why: string }

export interface DialRequest {
  gateway: URL
  credential: string
}

export type Dial = (request: DialRequest, listener: SocketListener, signal: AbortSignal) => Promise<DialResult>
