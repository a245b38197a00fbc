// Requests to the gateway, over the connections that node:http keeps open. Follows no redirects: they would carry the API key elsewhere.

import { request, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http'
import { request as secureRequest } from 'node:https'
import { under } from '@hearth/command-line/gateway/gateway-address'
import { preparedAgent } from '@hearth/command-line/gateway/prepare-network'

export interface ToSend {
  method: string
  /** With its query. */
  path: string
  headers: OutgoingHttpHeaders
  body?: string
  signal: AbortSignal
}

/** Resolves when the status is there. Rejects if the gateway can't be reached, or if the signal is aborted. */
export function send(gateway: URL, { method, path, headers, body, signal }: ToSend): Promise<IncomingMessage> {
  const dial = gateway.protocol === 'https:' ? secureRequest : request
  const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }
  // The gateway answers chat requests faster on a connection that had nothing else, and everything else is rare.
  const rare = method === 'POST' ? {} : { connection: 'close' }
  return new Promise((resolve, reject) => {
    const agent = preparedAgent(gateway, signal)
    dial(under(gateway, path), { method, headers: { ...headers, ...length, ...rare }, signal, ...(agent && { agent }) })
      .once('response', resolve)
      .once('error', reject)
      // A gateway that switches to another protocol ends the request without either of them.
      .once('close', () => reject(new Error('the connection was closed without an answer')))
      .end(body)
  })
}

/** Undefined if there is more than this. */
export async function readBounded(message: IncomingMessage, maxBytes: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of message as AsyncIterable<Buffer>) {
    size += chunk.length
    // Leaving the loop closes the connection.
    if (size > maxBytes) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
