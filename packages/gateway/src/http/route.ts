// One part of what the server answers. `server.ts` asks the routes in their order, and each knows only what its own replies need.

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { NodeOutlet } from './reply/node-outlet.ts'

export interface Route {
  /** For metrics and the log. */
  readonly kind: 'api' | 'operator' | 'device' | 'console'
  has(path: string): boolean
  /** An error that it throws becomes the reply. */
  answer(call: Call): void | Promise<void>
}

export interface Call {
  request: IncomingMessage
  /** As the client sent it, without the query. */
  path: string
  outlet: NodeOutlet
  /** Below the outlet, for replies that something else writes. */
  response: ServerResponse
}

/** For metrics and the log, so no headers, query or body. */
export interface AnsweredRequest {
  requestId: string
  method: string
  route: Route['kind']
  status: number
}
