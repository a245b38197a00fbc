// One HTTP exchange with the local server, each on a connection of its own: an answer can never be mistaken for that of another job, and
// closing the connection tells the server that nobody waits any more. Redirects are not followed, proxies not used.

import { request, type IncomingMessage } from 'node:http'
import { request as secureRequest } from 'node:https'
import { EngineError } from '../engine.ts'
import type { ServerAddress } from './server-address.ts'

export interface Answer {
  status: number
  contentType: string
  /** Leaving the loop closes the connection. */
  body: AsyncIterable<Buffer>
  /** The connection is closed when it resolves. */
  close(): Promise<void>
}

/** Nobody answers there, or the connection broke. */
export class ConnectionError extends EngineError {
  override name = 'ConnectionError'

  constructor(reason: string, cause: unknown) {
    super('failed', `The connection to the local server failed (${reason})`, { retryable: true, cause })
  }
}

const MAX_JSON_BYTES = 16 * 1024 * 1024

/** Resolves with the headers. An abort closes the connection at any time. */
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

/** The whole answer as JSON; `value` is undefined when it is something else. */
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
    if (bytes > maxBytes) throw new EngineError('failed', 'The local server answers without end', { retryable: true })
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
