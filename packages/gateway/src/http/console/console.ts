// The console: its files, and its API for every other request that no other route has. Connects node:http to the web framework.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { ApiError, errorBody, type ByteBudget, type NodeOutlet, type Owner } from '@hearth/chat'
import { clientAddress } from '../request-head.ts'
import type { Route } from '../route.ts'
import { ConsoleFiles } from './console-files.ts'

export interface ConsoleRouteContext {
  /** Responds to every request, if only with an error. */
  answerConsole: (request: Request, about: AboutRequest) => Response | Promise<Response>
  /** The header in which a trusted proxy passes the client's address, or empty. */
  addressHeader: string
  /** For answers that nobody reads. */
  budget: ByteBudget
}

interface AboutRequest {
  requestId: string
  address: string
  /** Calls `act` when the response is over, complete or not. The framework doesn't say so if the client leaves before it begins. */
  whenOver: (act: () => void) => void
  /** Whose memory the response is until the client has read it. */
  chargeTo: (owner: Owner) => void
}

export function createConsoleRoute(context: ConsoleRouteContext, files = new ConsoleFiles()): Route {
  const listen = createListener(context)
  return {
    kind: 'console',
    paths: ['/api/openapi.json', '/api/v1/*', '/api/auth/*', '/*'],
    has: () => true,
    async answer({ request, response, path, outlet }) {
      if (await files.answer(request, response, path)) return
      await listen(request, response, outlet)
      outlet.countSoon()
    },
  }
}

type Listener = (request: IncomingMessage, response: ServerResponse, outlet: NodeOutlet) => Promise<void>

function createListener({ answerConsole, addressHeader, budget }: ConsoleRouteContext): Listener {
  const outlets = new WeakMap<object, NodeOutlet>()
  const listener = getRequestListener(
    (request, { incoming, outgoing }) => {
      const address = clientAddress(incoming, addressHeader)
      const whenOver = (act: () => void) => (outgoing.closed ? act() : void outgoing.once('close', act))
      const outlet = outlets.get(incoming)
      const chargeTo = (owner: Owner) => outlet?.chargeTo(budget, owner)
      return answerConsole(request, { requestId: outlet?.requestId ?? '', address, whenOver, chargeTo })
    },
    { overrideGlobalObjects: false, hostname: 'localhost', errorHandler: answerUnreadable },
  )
  return async (request, response, outlet) => {
    outlets.set(request, outlet)
    await listener(request, response)
  }
}

function answerUnreadable(): Response {
  const error = new ApiError('bad_request', 'The request is not valid HTTP/1.1.')
  return new Response(errorBody(error), { status: error.status, headers: { 'content-type': 'application/json' } })
}
