// A device connects: its credential is checked before the upgrade, then its WebSocket becomes a link of the fleet.

import { hash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { CLOSE, MAX_FRAME_BYTES } from '@hearth/protocol'
import { WebSocketServer, type WebSocket } from 'ws'
import type { AccessBook } from '../access/access-book.ts'
import { readBearer } from '../access/authenticate.ts'
import { ApiError, toApiError } from '../errors.ts'
import type { DeviceConnection, DeviceIdentity, Fleet } from '../fleet/fleet.ts'
import { oneAuthorization } from './api.ts'
import { DeviceWebSocket } from './device-web-socket.ts'
import { writeRawError } from './raw-error.ts'
import { pathOf } from './routes.ts'

const LINK_PATH = '/device/v1/link'

export interface UpgradeContext {
  book: AccessBook
  fleet: Fleet
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
    void upgrade(server, request, socket, head, context)
  }
}

async function upgrade(
  server: WebSocketServer,
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  context: UpgradeContext,
): Promise<void> {
  try {
    const open = await prepareLink(request, context)
    server.handleUpgrade(request, socket, head, open)
  } catch (error) {
    writeRawError(socket, toApiError(error))
  }
}

async function prepareLink(request: IncomingMessage, context: UpgradeContext): Promise<(webSocket: WebSocket) => void> {
  const device = identify(request, context)
  const accept = await context.fleet.accept(device)
  // The device may have been removed while the fleet got ready.
  identify(request, context)
  return (webSocket) => follow(webSocket, device, accept(new DeviceWebSocket(webSocket)), context)
}

function identify(request: IncomingMessage, { book, isDraining }: UpgradeContext): DeviceIdentity {
  if (pathOf(request.url ?? '') !== LINK_PATH)
    throw new ApiError('unknown_url', 'Only devices can upgrade a connection, at /device/v1/link.')
  // Browsers always send an origin and devices never do. No web page may use the link on a person's behalf.
  if (request.headers.origin !== undefined) throw new ApiError('bad_request', 'The device link is not for browsers.')
  if (isDraining() || !book.isFresh)
    throw new ApiError('service_unavailable', 'The gateway is not ready for devices. Try again.', null, {
      'retry-after': '5',
    })
  const device = book.device(hash('sha256', readBearer(oneAuthorization(request))))
  if (!device)
    throw new ApiError(
      'invalid_api_key',
      'Unknown device: it was removed, or its credential is wrong. Log in again with: hearth-device login',
    )
  return device
}

function follow(
  webSocket: WebSocket,
  { id }: DeviceIdentity,
  connection: DeviceConnection,
  { onInternalError }: UpgradeContext,
): void {
  webSocket.on('message', (data: Buffer, isBinary: boolean) => {
    if (isBinary) return connection.close(CLOSE.malformedFrame, 'frames must be text')
    try {
      connection.receive(data.toString('utf8'), performance.now())
    } catch (error) {
      // Our own bug: close this link instead of crashing the process that serves all the others.
      onInternalError(error, `device ${id}`)
      connection.close(CLOSE.internal, 'internal error in the gateway')
    }
  })
  webSocket.on('close', () => connection.ended())
  // ws closes the connection on its own after an oversized or broken message.
  webSocket.on('error', () => connection.ended())
}
