// A device dials in: its credential is checked before the upgrade, then its WebSocket becomes a link of the hub.

import { hash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { CLOSE, MAX_FRAME_BYTES } from '@hearth/protocol'
import { WebSocketServer, type WebSocket } from 'ws'
import type { AccessBook } from '../access/access-book.ts'
import { readBearer } from '../access/authenticate.ts'
import { ApiError, toApiError } from '../errors.ts'
import type { DeviceIdentity } from '../hub/device-link.ts'
import type { Hub } from '../hub/hub.ts'
import { oneAuthorization } from './api.ts'
import { writeRawError } from './raw-error.ts'
import { pathOf } from './routes.ts'
import { WebSocketLink } from './web-socket-link.ts'

const LINK_PATH = '/device/v1/link'

export interface UpgradeContext {
  book: AccessBook
  hub: Hub
  isDraining: () => boolean
  onInternalError: (error: unknown, where: string) => void
}

export function createUpgradeHandler(
  context: UpgradeContext,
): (request: IncomingMessage, socket: Duplex, head: Buffer) => void {
  const server = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    maxPayload: MAX_FRAME_BYTES,
    clientTracking: false,
  })
  return (request, socket, head) => {
    socket.on('error', () => socket.destroy())
    try {
      const identity = identify(request, context)
      server.handleUpgrade(request, socket, head, (webSocket) => join(webSocket, identity, context))
    } catch (error) {
      writeRawError(socket, toApiError(error))
    }
  }
}

function identify(request: IncomingMessage, { book, isDraining }: UpgradeContext): DeviceIdentity {
  if (pathOf(request.url ?? '') !== LINK_PATH)
    throw new ApiError('unknown_url', 'Only devices upgrade a connection, at /device/v1/link')
  // Browsers always name an origin, devices never do: no page may use the link on a person's behalf.
  if (request.headers.origin !== undefined) throw new ApiError('bad_request', 'The device link is not for browsers')
  if (isDraining() || !book.isFresh)
    throw new ApiError('service_unavailable', 'The gateway is not ready for devices. Try again', null, {
      'retry-after': '5',
    })
  const device = book.device(hash('sha256', readBearer(oneAuthorization(request))))
  if (!device)
    throw new ApiError(
      'invalid_api_key',
      'This device is not known here: it was removed, or its credential is wrong. Enrol it again',
    )
  return device
}

function join(webSocket: WebSocket, identity: DeviceIdentity, { hub, onInternalError }: UpgradeContext): void {
  const link = hub.accept(identity, new WebSocketLink(webSocket))
  webSocket.on('message', (data: Buffer, isBinary: boolean) => {
    if (isBinary) return link.close(CLOSE.malformedFrame, 'frames are text')
    try {
      link.receive(data.toString('utf8'), performance.now())
    } catch (error) {
      // A fault of ours: it costs this link, not the process that serves all the others.
      onInternalError(error, `device ${identity.id}`)
      link.close(CLOSE.internal, 'the gateway made a mistake')
    }
  })
  webSocket.on('close', () => link.ended())
  // Oversized or broken messages; ws closes the connection itself.
  webSocket.on('error', () => link.ended())
}
