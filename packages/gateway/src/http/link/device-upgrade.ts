// A device connects: its credential is checked before the upgrade, then its WebSocket becomes a link of the fleet.

import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { CLOSE } from '@hearth/protocol'
import type { WebSocket } from 'ws'
import { ApiError, pathOf, toOriginForm, writeRawError } from '@hearth/chat'
import type { DialLimiter } from '../../access/limits/dial-limiter.ts'
import type { DeviceConnection, DeviceIdentity, Fleet } from '../../fleet/fleet.ts'
import { clientAddress } from '../request-head.ts'
import { explainFault, type OnInternalError } from '../explain-fault.ts'
import { DeviceWebSocket } from './device-web-socket.ts'
import type { IdentifyDevice } from './identify-device.ts'
import { LinkGuard } from './link-guard.ts'
import { createLinkServer } from './link-server.ts'

const LINK_PATH = '/device/v1/link'
/** With more unsent data than this, pings stay unanswered. */
export const MAX_UNSENT_BYTES = 64 * 1024

export interface UpgradeContext {
  identify: IdentifyDevice
  dialLimiter: DialLimiter
  fleet: Fleet
  addressHeader: string
  onInternalError: OnInternalError
}

export type Upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => void

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
      writeRawError(socket, explainFault(error, 'device link', context.onInternalError))
    }
  }
  return (request, socket, head) => {
    socket.on('error', () => socket.destroy())
    void upgrade(request, socket, head)
  }
}

async function prepareLink(
  request: IncomingMessage,
  { identify, dialLimiter, fleet }: UpgradeContext,
): Promise<{ device: DeviceIdentity; accept: Awaited<ReturnType<Fleet['accept']>> }> {
  checkRequest(request)
  const device = identify(request)
  dialLimiter.devices.count(device.id)
  const accept = await fleet.accept(device)
  // The device may have been removed while the fleet got ready.
  identify(request)
  return { device, accept }
}

function checkRequest(request: IncomingMessage): void {
  if (pathOf(toOriginForm(request.url ?? '').path) !== LINK_PATH)
    throw new ApiError('unknown_url', 'Only devices can upgrade a connection, at /device/v1/link.')
  // Browsers always send an origin and devices never do. No web page may use the link on a person's behalf.
  if (request.headers.origin !== undefined) throw new ApiError('bad_request', 'The device link is not for browsers.')
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
