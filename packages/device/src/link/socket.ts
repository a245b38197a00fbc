// One connection to the gateway as the link sees it. The rest of the link knows no WebSocket, so that tests join it to a gateway in memory.

export interface LinkSocket {
  /** `sent` is called once the text has left this process. */
  send(text: string, sent: () => void): void
  /** Asks the other end, below the frames, to show that it is there; the answer comes as `onSign`. */
  probe(): void
  close(code: number, reason: string): void
  /** Without a goodbye. `onClose` follows. */
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
  /** The gateway, or something before it, answered with another status than 101. */
  | { kind: 'refused'; status: number; retryAfterMs?: number }
  | { kind: 'failed'; why: string }

export interface DialRequest {
  gateway: URL
  credential: string
}

export type Dial = (request: DialRequest, listener: SocketListener, signal: AbortSignal) => Promise<DialResult>
