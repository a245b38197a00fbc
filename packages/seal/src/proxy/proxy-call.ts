import type { IncomingMessage, ServerResponse } from 'node:http'

/** A request of a client on this machine. */
export interface ProxyCall {
  request: IncomingMessage
  response: ServerResponse
  /** Of the client, or else of the proxy; empty if neither has one. */
  apiKey: string
  /** Aborted when the client leaves. */
  signal: AbortSignal
}
