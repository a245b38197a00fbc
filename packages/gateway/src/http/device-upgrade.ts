// A device connects: its credential is checked before the upgrade, then its WebSocket becomes a link of the fleet.

import { hash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { CLOSE } from '@hearth/protocol'
import type { WebSocket } from 'ws'
import type { AccessBook } from '../access/book/access-book.ts'
import { readBearer } from '../access/authenticate.ts'
import type { DialLimiter } from '../access/limits/dial-limiter.ts'
import { ApiError, toApiError } from '../errors.ts'
import type { DeviceConnection, DeviceIdentity, Fleet } from '../fleet/fleet.ts'
import { oneAuthorization } from './api.ts'
import { clientAddress } from './console.ts'
import { DeviceWebSocket } from './device-web-socket.ts'
import { LinkGuard } from './link-guard.ts'
import { createLinkServer } from './link-server.ts'
import { writeRawError } from './raw-error.ts'
import { pathOf, toOriginForm } from './routes.ts'

const LINK_PATH = '/device/v1/link'
/** With more unsent data than this, pings stay unanswered. */
const MAX_UNSENT_BYTES = 64 * 1024

export interface UpgradeContext {
  book: AccessBook
  fleet: Fleet
  dialLimiter: DialLimiter
  addressHeader: string
  isDraining: () => boolean
  onInternalError: (error: unknown, where: string) => void
}

type Upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => void

export function createUpgradeHandler(context: UpgradeContext): Upgrade {
  const server = createLinkServer()
  const guard = new LinkGuard()
  const upgrade = async (...[request, socket, head]: Parameters<Upgrade>): Promise<void> => {
    try {
      const { device, accept } = await prepareLink(request, context)
      const address = clientAddress(request, context.addressHeader)
      server.handleUpgrade(request, socket, head, (webSocket) => {
        const connection = accept(new DeviceWebSocket(webSocket, socket, address))
        follow(webSocket, device, connection, context)
        guard.watch(socket, webSocket, device, connection)
      })
    } catch (error) {
      writeRawError(socket, toApiError(error))
    }
  }
  return (request, socket, head) => {
    socket.on('error', () => socket.destroy())
    void upgrade(request, socket, head)
  }
}

async function prepareLink(
  request: IncomingMessage,
  context: UpgradeContext,
): Promise<{ device: DeviceIdentity; accept: Awaited<ReturnType<Fleet['accept']>> }> {
  checkRequest(request)
  const device = identifyDevice(request, context)
  context.dialLimiter.countDevice(device.id)
  const accept = await context.fleet.accept(device)
  // The device may have been removed while the fleet got ready.
  identifyDevice(request, context)
  return { device, accept }
}

function checkRequest(request: IncomingMessage): void {
  if (pathOf(toOriginForm(request.url ?? '').path) !== LINK_PATH)
    throw new ApiError('unknown_url', 'Only devices can upgrade a connection, at /device/v1/link.')
  // Browsers always send an origin and devices never do. No web page may use the link on a person's behalf.
  if (request.headers.origin !== undefined) throw new ApiError('bad_request', 'The device link is not for browsers.')
}

/** By its credential. Throws ApiError if nobody has it. */
export function identifyDevice(request: IncomingMessage, context: UpgradeContext): DeviceIdentity {
  const { book, isDraining, dialLimiter, addressHeader } = context
  if (isDraining() || !book.isFresh)
    throw new ApiError('service_unavailable', 'The gateway is not ready for devices. Try again.', null, {
      'retry-after': '5',
    })
  const device = book.device(hash('sha256', readBearer(oneAuthorization(request))))
  if (device) return device
  // Only now: many devices behind one address may dial at the same time. The lookup is in memory.
  dialLimiter.countStranger(clientAddress(request, addressHeader))
  throw new ApiError(
    'invalid_api_key',
    'Unknown device: it was removed, or its credential is wrong. Log in again with: hearth-device login',
  )
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
  webSocket.on('ping', (data: Buffer) => {
    if (webSocket.bufferedAmount < MAX_UNSENT_BYTES) webSocket.pong(data)
  })
  const end = () => connection.ended()
  webSocket.on('close', end)
  // ws closes the connection on its own after an oversized or broken message.
  webSocket.on('error', end)
}
