// Connects to the gateway over a WebSocket. Every call resolves the host name and reads the proxy settings again.

import { WebSocket, type ClientOptions } from 'ws'
import { GREETING_MS } from '@hearth/protocol'
import { describeError } from '@hearth/command-line/errors'
import type { Environment } from '@hearth/command-line/gateway/choose-proxy'
import { linkAddress } from '@hearth/command-line/gateway/gateway-address'
import { proxyAgent } from '@hearth/command-line/gateway/proxy-agent'
import type { Dial, DialRequest, DialResult, LinkSocket, SocketListener } from './socket.ts'

const MAX_MESSAGE_BYTES = 8 * 1024 * 1024
/** How long the closing handshake may take before the connection is cut. */
const CLOSE_MS = 2_000
/** In addition to the pings: lets the system detect a dead connection while nothing is sent. */
const TCP_KEEP_ALIVE_MS = 30_000

/** The library's types don't include this option yet. */
interface SocketOptions extends ClientOptions {
  closeTimeout: number
}

export function createDial(environment: Environment): Dial {
  return async (request, listener, signal) => {
    try {
      return await openSocket(request, options(request, environment, signal), listener, signal)
    } catch (error) {
      return { kind: 'failed', why: describeError(error) }
    }
  }
}

function options(request: DialRequest, environment: Environment, signal: AbortSignal): SocketOptions {
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(GREETING_MS)])
  const agent = proxyAgent(linkAddress(request.gateway), environment, deadline)
  return {
    headers: { authorization: `Bearer ${request.credential}` },
    perMessageDeflate: false,
    maxPayload: MAX_MESSAGE_BYTES,
    handshakeTimeout: GREETING_MS,
    followRedirects: false,
    closeTimeout: CLOSE_MS,
    ...(agent && { agent }),
  }
}

function openSocket(
  request: DialRequest,
  socketOptions: SocketOptions,
  listener: SocketListener,
  signal: AbortSignal,
): Promise<DialResult> {
  const { promise, resolve } = Promise.withResolvers<DialResult>()
  const socket = new WebSocket(linkAddress(request.gateway), socketOptions)
  // Only cancels dialing. An open link is closed by its owner, after sending what is left.
  const abort = (): void => socket.terminate()
  signal.addEventListener('abort', abort, { once: true })
  if (signal.aborted) abort()

  socket.once('upgrade', (response) => response.socket.setKeepAlive(true, TCP_KEEP_ALIVE_MS))
  socket.once('open', () => {
    // Start listening in this turn: the first frame may already be in the same packet.
    signal.removeEventListener('abort', abort)
    listen(socket, listener)
    resolve({ kind: 'open', socket: wrap(socket) })
  })
  socket.once('unexpected-response', (_, response) => {
    resolve({ kind: 'rejected', status: response.statusCode ?? 0, ...readRetryAfter(response.headers['retry-after']) })
    response.destroy()
    socket.terminate()
  })
  socket.on('error', (error) => resolve({ kind: 'failed', why: describeError(error) }))
  socket.once('close', () => signal.removeEventListener('abort', abort))
  return promise
}

function listen(socket: WebSocket, listener: SocketListener): void {
  socket.on('message', (data: Buffer) => listener.onMessage(data.toString()))
  socket.on('pong', () => listener.onSign())
  socket.on('close', (code, reason) => listener.onClose(code, reason.toString()))
}

function wrap(socket: WebSocket): LinkSocket {
  return {
    send: (text, sent) => socket.send(text, () => sent()),
    probe: () => socket.ping(),
    close: (code, reason) => socket.close(code, reason),
    terminate: () => socket.terminate(),
  }
}

// Parses the Retry-After header: seconds, or a date.
export function readRetryAfter(value: string | undefined, now = Date.now()): { retryAfterMs?: number } {
  if (value === undefined) return {}
  const ms = /^\d+$/.test(value.trim()) ? Number(value) * 1000 : Date.parse(value) - now
  return Number.isFinite(ms) ? { retryAfterMs: Math.max(0, ms) } : {}
}
