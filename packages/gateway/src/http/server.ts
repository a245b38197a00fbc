// One server for the API, devices, the operator's pages and the console. Plain chat requests are answered by `quick/`; this file is where
// all others arrive, over node:http, and finds the route that answers. Nothing outside this folder knows node:http.

import type { IncomingMessage, Server, ServerOptions, ServerResponse } from 'node:http'
import {
  answerBrokenRequest,
  ApiError,
  KEEP_ALIVE_MS,
  clientIdsOf,
  NodeOutlet,
  OpenReplies,
  pathOf,
  sendError,
  toOriginForm,
  writeRawError,
} from '@hearth/chat'
import type { HttpsNotice } from '../access/network/forwarded-https.ts'
import { cutOff } from './cut-off.ts'
import { explainFault, type OnInternalError } from './explain-fault.ts'
import type { Upgrade } from './link/device-upgrade.ts'
import { QuickServer, type AnswerChat } from './quick/quick-server.ts'
import { HTTPS_ONLY } from './reply/https-only.ts'
import { StallWatch } from './reply/stall-watch.ts'
import type { AnsweredRequest, Call, Route } from './route.ts'
import { turnTime } from './turn-time.ts'

export interface HttpOptions {
  /** The first one that has the path answers. */
  routes: readonly Route[]
  /** Answers if no other route has the path. */
  lastRoute: Route
  answerChat: AnswerChat
  upgrade: Upgrade
  httpsNotice: HttpsNotice
  /** People reach the gateway over HTTPS only. */
  isHttps: boolean
  maxBodyBytes: number
  bodyTimeoutMs: number
  stallMs: number
  /** Load balancers should stop sending requests: each reply closes its connection. */
  isLeaving: () => boolean
  onAnswered: (request: AnsweredRequest) => void
  onInternalError: OnInternalError
}

export const HEADERS_MS = 15_000

export function createHttpServer(options: HttpOptions): Server {
  const stalls = new StallWatch(options.stallMs)
  const replies = new OpenReplies()
  const server = new QuickServer(nodeOptions(options), { ...options, stalls })
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    if (replies.hasRoom(request.socket)) receive(request, response, options, [replies, stalls])
    else cutOff(request.socket)
  }
  server.once('close', () => stalls.close())
  server.on('request', answer)
  server.on('checkExpectation', answer)
  server.on('connect', (_request, socket) =>
    writeRawError(socket, new ApiError('bad_request', 'This server is not a proxy.')),
  )
  server.on('upgrade', options.upgrade)
  server.on('clientError', (error, socket) => answerBrokenRequest(error, socket, replies))
  return server
}

function nodeOptions({ bodyTimeoutMs }: HttpOptions): ServerOptions {
  return {
    keepAliveTimeout: KEEP_ALIVE_MS,
    headersTimeout: Math.min(HEADERS_MS, bodyTimeoutMs),
    requestTimeout: bodyTimeoutMs,
    connectionsCheckingInterval: Math.min(5_000, bodyTimeoutMs),
    noDelay: true,
    // Missing hosts and unknown expectations are handled here, with the reference API's errors; only WebSockets are upgrades.
    requireHostHeader: false,
    shouldUpgradeCallback: ({ headers }) => headers.upgrade?.toLowerCase() === 'websocket',
  }
}

/** Finds the route, and tells everyone who has to know when the reply is over. */
function receive(
  request: IncomingMessage,
  response: ServerResponse,
  options: HttpOptions,
  watches: readonly (OpenReplies | StallWatch)[],
): void {
  for (const watch of watches) watch.add(response)
  const path = readPath(request)
  const route = options.routes.find((each) => each.has(path)) ?? options.lastRoute
  // The operator's pages are for the operator, not for web pages that an operator happens to visit.
  // Only requests of the API are followed.
  const client = route.kind === 'api' ? clientIdsOf(request) : undefined
  const outlet = new NodeOutlet(response, client, route.kind !== 'operator')
  // The console writes its own heads.
  if (options.isHttps && route.kind === 'console') response.setHeader(...HTTPS_ONLY)
  else if (options.isHttps) outlet.header(...HTTPS_ONLY)
  if (options.isLeaving()) outlet.closeConnection()
  outlet.onClose(() => {
    for (const watch of watches) watch.remove(response)
    const { requestId, status } = outlet
    options.onAnswered({ requestId, method: request.method ?? '', route: route.kind, status })
  })
  const answer = () => void answerCall(route, { request, path, outlet, response }, options)
  if (turnTime.isOver) turnTime.later(answer)
  else answer()
}

/** A client that takes the gateway for a proxy names the host in the path. */
function readPath(request: IncomingMessage): string {
  const { path, authority } = toOriginForm(request.url ?? '/')
  request.url = path
  if (authority !== undefined) request.headers.host = authority
  return pathOf(path)
}

async function answerCall(route: Route, call: Call, { httpsNotice, onInternalError }: HttpOptions): Promise<void> {
  const { request, outlet } = call
  try {
    if (request.headers.host === undefined && request.httpVersion === '1.1')
      throw new ApiError('bad_request', 'The request has no Host header.')
    // Links and cookies depend on it, and only these two kinds hand them out.
    if (route.kind === 'console' || route.kind === 'device')
      httpsNotice.look((name) => request.headers[name]?.toString())
    await route.answer(call)
  } catch (thrown) {
    const error = explainFault(thrown, outlet.requestId, onInternalError)
    if (outlet.status === 0) sendError(outlet, error)
    else outlet.destroy()
  }
}
