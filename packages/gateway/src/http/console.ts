// Everything that is not the API, the device's calls, the operator's pages or a file of the console: the console API. Here node:http meets the
// framework behind it.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { ApiError, errorBody } from '../errors.ts'

export interface ConsoleContext {
  /** Answers every request, also with an error. */
  console: (request: Request, about: { requestId: string; address: string }) => Response | Promise<Response>
  /** Empty, or the header in which a trusted proxy names the client's address. */
  addressHeader: string
}

export type ConsoleListener = (request: IncomingMessage, response: ServerResponse, requestId: string) => void

export function createConsoleListener({ console, addressHeader }: ConsoleContext): ConsoleListener {
  const ids = new WeakMap<object, string>()
  const listener = getRequestListener(
    (request, { incoming }) => {
      const about = { requestId: ids.get(incoming) ?? '', address: clientAddress(incoming, addressHeader) }
      return console(request, about)
    },
    { overrideGlobalObjects: false, hostname: 'localhost', errorHandler: answerUnreadable },
  )
  return (request, response, requestId) => {
    ids.set(request, requestId)
    void listener(request, response)
  }
}

/** Where the request comes from: the socket, unless the operator trusts a proxy's word. Of a list, the last is the proxy's own. */
export function clientAddress(
  { headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>,
  addressHeader: string,
): string {
  const named = addressHeader === '' ? undefined : headers[addressHeader.toLowerCase()]
  const last = named?.toString().split(',').at(-1)?.trim()
  return last || (socket.remoteAddress ?? '')
}

function answerUnreadable(): Response {
  const error = new ApiError('bad_request', 'The request is not valid HTTP/1.1')
  return new Response(errorBody(error), { status: error.status, headers: { 'content-type': 'application/json' } })
}
