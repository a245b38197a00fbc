import type { IncomingMessage, ServerResponse } from 'node:http'

/** A request of a client on this machine. */
export interface ProxyCall {
  request: IncomingMessage
  response: ServerResponse
  /** The saved one for whoever has the token, otherwise the client's own; empty if it has none. */
  apiKey: string
  /** Aborted when the client leaves. */
  signal: AbortSignal
}
