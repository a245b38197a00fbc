// A request of the gateway to itself, the way that clients take: over a new connection.

import { get } from 'node:http'

const LIMIT_MS = 5_000

/**
 * Resolves with any answer, also with a connection that was rejected: then the gateway is at a limit, such as its open files, and ending it
 * would break the streams that hold them. Rejects only if nothing happens.
 */
export function askItself(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(LIMIT_MS)
    get({ host: '127.0.0.1', port, path: '/healthz', agent: false, signal }, (reply) => {
      reply.resume()
      resolve()
    }).on('error', (error) => (signal.aborted ? reject(error) : resolve()))
  })
}
