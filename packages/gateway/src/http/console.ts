// The console API: every request that is not for /openai/v1, a device, the operator or a file of the console. Connects node:http to the web
// framework.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { ApiError, errorBody } from '../errors.ts'

export interface ConsoleListenerContext {
  /** Responds to every request, if only with an error. */
  answerConsole: (request: Request, about: { requestId: string; address: string }) => Response | Promise<Response>
  /** The header in which a trusted proxy passes the client's address, or empty. */
  addressHeader: string
}

export type ConsoleListener = (request: IncomingMessage, response: ServerResponse, requestId: string) => void

export function createConsoleListener({ answerConsole, addressHeader }: ConsoleListenerContext): ConsoleListener {
  const ids = new WeakMap<object, string>()
  const listener = getRequestListener(
    (request, { incoming }) => {
      const about = { requestId: ids.get(incoming) ?? '', address: clientAddress(incoming, addressHeader) }
      return answerConsole(request, about)
    },
    { overrideGlobalObjects: false, hostname: 'localhost', errorHandler: answerUnreadable },
  )
  return (request, response, requestId) => {
    ids.set(request, requestId)
    void listener(request, response)
  }
}

/** The client's address: the socket's, unless the operator trusts a proxy. In a list of addresses, the proxy added the last one itself. */
export function clientAddress(
  { headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>,
  addressHeader: string,
): string {
  const named = addressHeader === '' ? undefined : headers[addressHeader.toLowerCase()]
  const last = named?.toString().split(',').at(-1)?.trim()
  return last || (socket.remoteAddress ?? '')
}

function answerUnreadable(): Response {
  const error = new ApiError('bad_request', 'The request is not valid HTTP/1.1.')
  return new Response(errorBody(error), { status: error.status, headers: { 'content-type': 'application/json' } })
}
