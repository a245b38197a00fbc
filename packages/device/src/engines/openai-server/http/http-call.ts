// One HTTP request to the local server. Each uses its own connection, so answers can't be mixed up, and closing the connection tells the
// server to stop. It follows no redirects and uses no proxy.

import { request, type IncomingMessage } from 'node:http'
import { request as secureRequest } from 'node:https'
import { EngineError } from '../../engine.ts'
import type { ServerAddress } from './server-address.ts'

export interface Answer {
  status: number
  contentType: string
  /** Leaving the loop closes the connection. */
  body: AsyncIterable<Buffer>
  /** Resolves when the connection is closed. */
  close(): Promise<void>
}

/** The server can't be reached, or the connection broke. */
export class ConnectionError extends EngineError {
  override name = 'ConnectionError'

  constructor(reason: string, cause: unknown) {
    super('failed', `Can't reach the local server (${reason})`, { retryable: true, cause })
  }
}

/** The server wants a key, or another one. Another device may have it. */
export class KeyError extends EngineError {
  override name = 'KeyError'

  constructor() {
    super('failed', 'The local server wants the right API key → set HEARTH_DEVICE_UPSTREAM_KEY', { retryable: true })
  }
}

export function isKeyRefused(status: number): boolean {
  return status === 401 || status === 403
}

const MAX_JSON_BYTES = 16 * 1024 * 1024

/** Resolves when the headers arrive. Aborting the signal closes the connection at any time. */
export async function call(address: ServerAddress, path: string, body: unknown, signal: AbortSignal): Promise<Answer> {
  signal.throwIfAborted()
  const response = await send(address, path, body, signal)
  const closed = new Promise<void>((resolve) => response.once('close', resolve))
  return {
    status: response.statusCode ?? 0,
    contentType: response.headers['content-type'] ?? '',
    body: readBody(response, signal),
    close() {
      response.destroy()
      return closed
    },
  }
}

/** Reads the whole answer as JSON; `value` is undefined if it isn't JSON. */
export async function callJson(
  address: ServerAddress,
  path: string,
  body: unknown,
  signal: AbortSignal,
): Promise<{ status: number; value: unknown }> {
  const answer = await call(address, path, body, signal)
  return { status: answer.status, value: parseJson(await readText(answer.body, MAX_JSON_BYTES)) }
}

export async function readText(body: AsyncIterable<Buffer>, maxBytes: number): Promise<string> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of body) {
    bytes += part.length
    if (bytes > maxBytes) throw new EngineError('failed', "The local server's answer is too long", { retryable: true })
    parts.push(part)
  }
  return Buffer.concat(parts).toString()
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function send(address: ServerAddress, path: string, body: unknown, signal: AbortSignal): Promise<IncomingMessage> {
  const url = new URL(`${address.root}${path}`)
  const payload = body === undefined ? undefined : JSON.stringify(body)
  const dial = url.protocol === 'https:' ? secureRequest : request
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const asking = dial(url, {
    method: payload === undefined ? 'GET' : 'POST',
    agent: false,
    signal,
    headers: {
      accept: 'application/json, text/event-stream',
      ...(payload !== undefined && {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(payload),
      }),
      ...(address.key !== undefined && { authorization: `Bearer ${address.key}` }),
    },
  })
  asking.once('response', resolve)
  asking.on('error', (error) => reject(explain(error, signal)))
  // A server that switches to another protocol ends the request without either of them.
  asking.once('close', () => reject(explain(undefined, signal)))
  asking.end(payload)
  return promise
}

async function* readBody(response: IncomingMessage, signal: AbortSignal): AsyncGenerator<Buffer> {
  try {
    for await (const part of response) yield part as Buffer
  } catch (error) {
    throw explain(error, signal)
  }
}

function explain(error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'no answer'
  return new ConnectionError(code, error)
}
