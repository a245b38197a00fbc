// One part of what the server answers. `server.ts` asks the routes in their order, and each knows only what its own replies need.

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { NodeOutlet } from '@hearth/chat'

/** A star stands for any rest of the path. */
export type RoutePath =
  | '/openai/v1/*'
  | '/sealed/v1/*'
  | '/healthz'
  | '/readyz'
  | '/metrics'
  | '/device/v1/app.json'
  | '/device/v1/app.tgz'
  | '/device/v1/app.cdx.json'
  | '/device/v1/installer.tgz'
  | '/seal/v1/app.json'
  | '/seal/v1/app.tgz'
  | '/seal/v1/app.cdx.json'
  | '/seal/v1/installer.tgz'
  | '/device/v1/seal'
  | '/device/v1/enrol'
  | '/device/v1/authorize'
  | '/device/v1/token'
  | '/device/v1/relay/models'
  | '/device/v1/relay/files/*'
  | '/device/v1/relay/pieces/*'
  | '/api/openapi.json'
  | '/api/v1/*'
  | '/api/auth/*'
  | '/*'

export interface Route {
  /** For metrics and the log. */
  readonly kind: 'api' | 'operator' | 'device' | 'console'
  /** Where it answers. Each of them is a door with bounds, in testing/bounds/doors. */
  readonly paths: readonly RoutePath[]
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
