// The server on this machine that clients talk to instead of the gateway.

import { hash, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import {
  clientIdsOf,
  answerBrokenRequest,
  ApiError,
  ByteBudget,
  Heartbeats,
  KEEP_ALIVE_MS,
  NodeOutlet,
  OpenReplies,
  pathOf,
  sendError,
  toApiError,
  toOriginForm,
  USUAL_LIMITS,
} from '@hearth/chat'
import { CommandError } from '@hearth/command-line/errors'
import { passOn, passOnRejection } from './pass-on.ts'
import { GatewayRejection } from './proxy-errors.ts'
import type { SealCache } from './seal-cache.ts'
import { answerSealed, newSecret, type SealedChatContext } from './sealed-chat.ts'
import { isLoopback } from '@hearth/command-line/gateway/gateway-address'

export interface ProxyOptions {
  gateway: URL
  /** For clients that show the token. Others send an API key of their own, or get the gateway's error. */
  saved: { apiKey: string; token: string } | undefined
  cache: SealCache
  /** Whether the gateway may see that two requests begin the same. */
  hasAffinity: boolean
  /** One line for the person at the terminal. Never part of a request or a reply. */
  onProblem: (text: string) => void
}

const BUDGET_BYTES = 1024 * 1024 * 1024
const API_PREFIX = '/openai/v1'
/** As the gateway has it. Only pages and strangers are without a host of this machine, and the guard has an error for both. */
const HTTP = { noDelay: true, requestTimeout: 0, keepAliveTimeout: KEEP_ALIVE_MS, requireHostHeader: false }

export function createProxy(options: ProxyOptions): Server {
  const { gateway, cache, hasAffinity } = options
  const heartbeats = new Heartbeats(USUAL_LIMITS.heartbeatMs)
  const context: SealedChatContext = {
    gateway,
    cache,
    heartbeats,
    budget: new ByteBudget(BUDGET_BYTES),
    scopeSecret: newSecret(),
    affinity: hasAffinity ? newSecret() : undefined,
  }
  const replies = new OpenReplies()
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    replies.add(response)
    response.once('close', () => replies.remove(response))
    void receive(request, response, options, context)
  }
  const server = createServer(HTTP)
  server.on('request', answer)
  server.on('checkExpectation', answer)
  server.on('clientError', (error, socket) => answerBrokenRequest(error, socket, replies, false))
  server.once('close', () => heartbeats.close())
  return server
}

/** Never rejects: the client gets every error. */
async function receive(
  request: IncomingMessage,
  response: ServerResponse,
  options: ProxyOptions,
  context: SealedChatContext,
): Promise<void> {
  const leaving = new AbortController()
  // After a whole reply, the connection to the gateway is for the next request.
  response.once('close', () => {
    if (!response.writableFinished) leaving.abort()
  })
  try {
    rejectPages(request)
    const apiKey = readKey(request, options)
    const call = { request, response, apiKey, signal: leaving.signal }
    const { path } = toOriginForm(request.url ?? '/')
    if (isChat(request.method, path) && apiKey !== '') await answerSealed(call, context)
    else if (path.startsWith(`${API_PREFIX}/`)) await passOn(path, call, options.gateway)
    else throw new ApiError('unknown_url', `Invalid URL (${request.method} ${path.slice(0, 256)}). Use ${API_PREFIX}.`)
  } catch (error) {
    if (!leaving.signal.aborted) reject(response, error, options.onProblem)
  }
}

/** Without its key, so that a request without one gets the gateway's own error. */
function isChat(method: string | undefined, path: string): boolean {
  return (
    method === 'POST' &&
    pathOf(path)
      .replaceAll(/\/{2,}/g, '/')
      .replace(/\/$/, '') === `${API_PREFIX}/chat/completions`
  )
}

/** Empty if there is none that is well formed: nobody on this machine gets the saved key without the token. */
function readKey({ headersDistinct }: IncomingMessage, { saved }: ProxyOptions): string {
  const [value, ...others] = headersDistinct['authorization'] ?? []
  const given = (others.length === 0 ? /^bearer +(\S+)$/i.exec(value ?? '')?.[1] : undefined) ?? ''
  return saved !== undefined && isSame(given, saved.token) ? saved.apiKey : given
}

/** Digests have the same length, so the comparison takes the same time for every guess. */
function isSame(given: string, token: string): boolean {
  return timingSafeEqual(hash('sha256', given, 'buffer'), hash('sha256', token, 'buffer'))
}

function reject(response: ServerResponse, thrown: unknown, onProblem: ProxyOptions['onProblem']): void {
  if (response.headersSent) return void response.destroy()
  if (thrown instanceof GatewayRejection) return rejectAsGateway(response, thrown, onProblem)
  const error = thrown instanceof CommandError ? damagedState(thrown) : toApiError(thrown)
  if (error.code === 'seal_mismatch' || error.code === 'service_unavailable') onProblem(error.message)
  else if (error.code === 'server_error') onProblem(`Unexpected error (${nameOf(thrown)})`)
  sendError(new NodeOutlet(response, clientIdsOf(response.req), false), error)
}

function rejectAsGateway(response: ServerResponse, { rejection }: GatewayRejection, onProblem: (text: string) => void) {
  try {
    passOnRejection(response, rejection)
  } catch (error) {
    reject(response, error, onProblem)
  }
}

/** Files of hearth-seal can't be read, so nobody can tell whom to trust. */
function damagedState({ message, advice }: CommandError): ApiError {
  return new ApiError('seal_mismatch', advice === undefined ? message : `${message}: ${advice}`, null, {
    'x-should-retry': 'false',
  })
}

function nameOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.name : 'unknown'
}

/**
 * Throws an ApiError for a request that comes from a web page: a page could otherwise send requests with the API key of whoever runs the
 * proxy, or read replies through a host name of its own that leads to this machine.
 */
function rejectPages({ headers }: Pick<IncomingMessage, 'headers'>): void {
  // Browsers send at least one of the two with every request of a page, and nobody else sends them.
  if (headers.origin !== undefined || headers['sec-fetch-site'] !== undefined)
    throw new ApiError(
      'wrong_origin',
      'Web pages cannot use hearth-seal. Send the request from a program on this machine.',
    )
  if (!isOwnHost(headers.host))
    throw new ApiError(
      'wrong_origin',
      'Use the base URL that hearth-seal prints at its start, with 127.0.0.1 or localhost.',
    )
}

function isOwnHost(host: string | undefined): boolean {
  if (host === undefined || !URL.canParse(`http://${host}`)) return false
  return isLoopback(new URL(`http://${host}`).hostname)
}
