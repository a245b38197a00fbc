// One node:http server for the API, devices, the operator's pages and the console. Nothing outside this folder knows node:http.

import type { IncomingMessage, Server, ServerOptions, ServerResponse } from 'node:http'
import type { HttpsNotice } from '../access/network/forwarded-https.ts'
import type { JoinLimiter } from '../access/limits/join-limiter.ts'
import { readFault } from '../access/read-fault.ts'
import { sendError } from '../chat/send-error.ts'
import { ApiError, toApiError } from '../errors.ts'
import { flat } from '../flat.ts'
import { randomHex } from '../ids.ts'
import { completeQuickly, handleApi, type ApiContext } from './api.ts'
import { answerBrokenRequest } from './broken-request.ts'
import { ConsoleFiles } from './console-files.ts'
import { clientAddress, createConsoleListener, type ConsoleListener, type ConsoleListenerContext } from './console.ts'
import { answerDeviceApp, isDeviceAppPath, type DeviceAppContext } from './device-app.ts'
import {
  authorizeDevice,
  AUTHORIZE_PATH,
  redeemDeviceCode,
  TOKEN_PATH,
  type DeviceCodeContext,
} from './device-codes.ts'
import { answerRelay, isRelayPath } from './device-relay.ts'
import { createUpgradeHandler, type UpgradeContext } from './device-upgrade.ts'
import { enrolDevice, ENROL_PATH, type EnrolContext } from './enrol.ts'
import { NodeOutlet } from './node-outlet.ts'
import { answerOperator, isOperatorPath, type OperatorContext } from './operator.ts'
import { OpenReplies } from './open-replies.ts'
import type { QuickConnectionsOptions } from './quick/quick-connections.ts'
import { QuickServer } from './quick/quick-server.ts'
import type { SocketOutlet } from './quick/socket-outlet.ts'
import { writeRawError } from './raw-error.ts'
import { pathInApi, pathOf, toOriginForm } from './routes.ts'
import { StallWatch } from './stall-watch.ts'

export interface HttpContext
  extends ApiContext, UpgradeContext, EnrolContext, DeviceCodeContext, DeviceAppContext, ConsoleListenerContext {
  operator: OperatorContext
  bodyTimeoutMs: number
  httpsNotice: HttpsNotice
  joinLimiter: JoinLimiter
  /** Load balancers should stop sending requests: each reply closes its connection. */
  isLeaving: () => boolean
  onAnswered: (request: AnsweredRequest) => void
}

/** For metrics and the log, so no headers, query or body. */
export interface AnsweredRequest {
  requestId: string
  method: string
  route: 'api' | 'operator' | 'device' | 'console'
  status: number
}

/** Longer than the idle timeout of common load balancers, so that the gateway never closes a connection that is about to be used. */
const KEEP_ALIVE_MS = 75_000
const HEADERS_MS = 15_000

export function createHttpServer(context: HttpContext): Server {
  const stalls = new StallWatch(context.stallMs)
  const options: ServerOptions = {
    keepAliveTimeout: KEEP_ALIVE_MS,
    headersTimeout: Math.min(HEADERS_MS, context.bodyTimeoutMs),
    requestTimeout: context.bodyTimeoutMs,
    connectionsCheckingInterval: Math.min(5_000, context.bodyTimeoutMs),
    noDelay: true,
    // Missing hosts and unknown expectations are handled here, with the reference API's errors; only WebSockets are upgrades.
    requireHostHeader: false,
    shouldUpgradeCallback: ({ headers }) => headers.upgrade?.toLowerCase() === 'websocket',
  }
  const server = new QuickServer(options, quickOptions(context, stalls))
  const consoleListener = serveFilesFirst(new ConsoleFiles(), createConsoleListener(context))
  const replies = new OpenReplies()
  server.once('close', () => stalls.close())
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    if (replies.hasRoom(request.socket)) route(request, response, context, consoleListener, [replies, stalls])
    else request.socket.destroy()
  }
  server.on('request', answer)
  server.on('checkExpectation', answer)
  server.on('connect', (_request, socket) =>
    writeRawError(socket, new ApiError('bad_request', 'This server is not a proxy.')),
  )
  server.on('upgrade', createUpgradeHandler(context))
  server.on('clientError', (error, socket) => answerBrokenRequest(error, socket, replies))
  return server
}

/** Longer bodies are read by node:http. */
const QUICK_BYTES = 128 * 1024

function quickOptions(context: HttpContext, stalls: StallWatch): Omit<QuickConnectionsOptions, 'handOver'> {
  return {
    keepAliveMs: KEEP_ALIVE_MS,
    maxBodyBytes: Math.min(QUICK_BYTES, context.maxBodyBytes),
    closing: flat(`Connection: keep-alive\r\nKeep-Alive: timeout=${KEEP_ALIVE_MS / 1_000}\r\n`),
    isOpen: () => !context.isLeaving(),
    stalls,
    answer: (authorization, body, outlet) => answerQuickly(authorization, body, outlet, context),
  }
}

function answerQuickly(authorization: string, body: Buffer, outlet: SocketOutlet, context: HttpContext): void {
  outlet.onClose(() =>
    context.onAnswered({ requestId: outlet.requestId, method: 'POST', route: 'api', status: outlet.status }),
  )
  completeQuickly(authorization, body, outlet, context)
}

function route(
  request: IncomingMessage,
  response: ServerResponse,
  context: HttpContext,
  consoleListener: ConsoleListener,
  watches: readonly (OpenReplies | StallWatch)[],
): void {
  for (const watch of watches) watch.add(response)
  const { path: target, authority } = toOriginForm(request.url ?? '/')
  request.url = target
  if (authority !== undefined) request.headers.host = authority
  const path = pathOf(target)
  const inApi = pathInApi(path)
  const kind = inApi !== undefined ? 'api' : routeOf(path)
  // The operator's pages are for the operator, not for web pages that an operator happens to visit.
  const outlet = new NodeOutlet(response, `req_${randomHex(16)}`, kind !== 'operator')
  if (context.isLeaving()) outlet.closeConnection()
  outlet.onClose(() => {
    for (const watch of watches) watch.remove(response)
    context.onAnswered({
      requestId: outlet.requestId,
      method: request.method ?? '',
      route: kind,
      status: outlet.status,
    })
  })
  if (request.headers.host === undefined && request.httpVersion === '1.1')
    return sendError(outlet, new ApiError('bad_request', 'The request has no Host header.'))
  if (inApi !== undefined) return handleApi(request, inApi, outlet, context)
  // Links and cookies depend on it, and only these two routes hand them out.
  if (kind === 'console' || kind === 'device') context.httpsNotice.look((name) => request.headers[name]?.toString())
  if (kind === 'console') return consoleListener(request, response, outlet.requestId)
  void answerOther(request, path, outlet, context).catch((error: unknown) => {
    const fault = readFault(error)
    if (!fault) context.onInternalError(error, outlet.requestId)
    sendError(outlet, fault ?? toApiError(error))
  })
}

function serveFilesFirst(files: ConsoleFiles, listener: ConsoleListener): ConsoleListener {
  return (request, response, requestId) => {
    const path = pathOf(request.url ?? '/')
    if (!files.mayHave(request, path)) return listener(request, response, requestId)
    void files
      .answer(request, response, path)
      .then((isAnswered) => isAnswered || listener(request, response, requestId))
  }
}

function routeOf(path: string): AnsweredRequest['route'] {
  if (isOperatorPath(path)) return 'operator'
  return Object.hasOwn(DEVICE_CALLS, path) || isDeviceAppPath(path) || isRelayPath(path) ? 'device' : 'console'
}

const DEVICE_CALLS: Record<
  string,
  (request: IncomingMessage, outlet: NodeOutlet, context: HttpContext) => Promise<void>
> = {
  [ENROL_PATH]: enrolDevice,
  [AUTHORIZE_PATH]: authorizeDevice,
  [TOKEN_PATH]: redeemDeviceCode,
}

async function answerOther(
  request: IncomingMessage,
  path: string,
  outlet: NodeOutlet,
  context: HttpContext,
): Promise<void> {
  if (isOperatorPath(path)) return answerOperator(request, path, outlet, context.operator)
  if (isDeviceAppPath(path)) return answerDeviceApp(request, path, outlet, context)
  if (isRelayPath(path)) return answerRelay(request, path, outlet, context)
  if (request.method !== 'POST')
    throw new ApiError('method_not_allowed', `Not allowed to ${request.method} on ${path}.`, null, { allow: 'POST' })
  context.joinLimiter.count(clientAddress(request, context.addressHeader))
  await DEVICE_CALLS[path]!(request, outlet, context)
}
