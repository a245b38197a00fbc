// Takes connections for the HTTP server. Node takes one new connection per listener in each turn of the event loop, so with one listener,
// hundreds of clients that come at once would wait for hundreds of turns. Linux lets many listeners share a port and spreads connections
// over them. Windows takes many per turn anyway; elsewhere there is one listener with a long queue.

import type { Server as HttpServer } from 'node:http'
import { createServer, Server, type AddressInfo, type ListenOptions } from 'node:net'
import { openFilesLimit } from '@hearth/command-line/machine/open-files'

/** Connections that can be taken per turn. An idle listener costs a file descriptor and 3 KB. */
const LISTENERS = 256
/** Connections that wait to be taken, per listener. The system may allow fewer. */
const BACKLOG = { shared: 512, alone: 4_096 }

const LOOPBACK = '127.0.0.1'

export interface Listening {
  readonly port: number
  /** Only this process listens there: others may take what comes to the port. */
  readonly ownPort: number
  /** For a successor that listens on the same sockets. Connections that were taken stay, and may send more requests. */
  stopTaking(): void
  /** Takes no more connections, and resolves when those that were taken are over. */
  close(): Promise<void>
}

export interface ListenAddress {
  port: number
  host: string
  /** Other gateways of the same service may listen on the port too. */
  isShared?: boolean
  /** Listening sockets that whoever started this process has opened. */
  given?: number
}

/** As systemd passes them. */
const FIRST_GIVEN = 3

export async function listen(
  server: HttpServer,
  address: ListenAddress,
  canShare = process.platform === 'linux',
): Promise<Listening> {
  const { given = 0 } = address
  const openAll = given > 0 ? listenOnGiven : canShare ? listenTogether : listenAlone
  const listeners = await openAll(server, address)
  if (given === 0 && address.host === LOOPBACK)
    listeners.push(...(await listenOnVersion6(server, address.isShared === true && canShare)))
  const own = createListener(server)
  await open(own, { host: LOOPBACK, port: 0 })
  listeners.push(own)
  const { port } = addressOf(server)
  let closed: Promise<unknown> | undefined
  return {
    port,
    ownPort: addressOf(own).port,
    stopTaking: () => void (closed = closeAll(listeners)),
    async close() {
      server.closeIdleConnections()
      closed ??= closeAll(listeners)
      // Replies that have ended may still be in flight; a second is enough for every client that is still reading.
      setTimeout(() => server.closeAllConnections(), 1_000).unref()
      await closed
    },
  }
}

/** `localhost` is this address too, and some clients try no other. A machine without it has none to listen on. */
async function listenOnVersion6(server: HttpServer, reusePort: boolean): Promise<Server[]> {
  const listener = createListener(server)
  try {
    await open(listener, { host: '::1', port: addressOf(server).port, reusePort, backlog: BACKLOG.alone })
    return [listener]
  } catch {
    return []
  }
}

/** Where a process may open few files, most of them are for connections and the database. */
export function countListeners(openFiles = openFilesLimit()): number {
  return Math.min(LISTENERS, Math.floor(openFiles / 4))
}

async function listenOnGiven(server: HttpServer, { given = 0 }: ListenAddress): Promise<Server[]> {
  const listeners = [server, ...Array.from({ length: given - 1 }, () => createListener(server))]
  const listening = listeners.map((listener, index) => open(listener, { fd: FIRST_GIVEN + index }))
  await Promise.all(listening)
  return listeners
}

async function listenAlone(server: HttpServer, address: ListenAddress): Promise<Server[]> {
  await open(server, { ...address, backlog: BACKLOG.alone })
  return [server]
}

async function listenTogether(server: HttpServer, { isShared, ...address }: ListenAddress): Promise<Server[]> {
  const lock = isShared ? undefined : await takePort(address)
  const shared = { reusePort: true, backlog: BACKLOG.shared }
  const others = Array.from({ length: countListeners() - 1 }, () => createListener(server))
  try {
    await open(server, { ...shared, ...address })
    // The port that port 0 became, and the address that a name became.
    const { port, address: host } = addressOf(server)
    await Promise.all(others.map((other) => open(other, { ...shared, port, host })))
    return [server, ...others]
  } finally {
    if (lock) await closeListener(lock)
  }
}

/**
 * Listeners that share a port would share it with a second gateway too, without an error. So first listen the way that allows no others,
 * which fails if anyone has the port. An abstract socket, which the system forgets with its process, keeps two gateways that start at the
 * same moment from both getting this far.
 */
async function takePort(address: ListenAddress): Promise<Server | undefined> {
  if (address.port === 0) return undefined
  const lock = createServer()
  await open(lock, { path: `\0hearth ${address.host} ${address.port}` })
  try {
    const probe = createServer()
    await open(probe, address)
    await closeListener(probe)
    return lock
  } catch (error) {
    await closeListener(lock)
    throw error
  }
}

/** Its connections have the same options as those that the HTTP server takes itself. */
function createListener(server: HttpServer): Server {
  return createServer({ allowHalfOpen: true, noDelay: true }, (socket) => void server.emit('connection', socket))
}

async function open(server: Server, options: ListenOptions | { fd: number }): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  server.once('error', reject).listen(options, resolve)
  await promise
  server.off('error', reject)
}

function closeAll(listeners: readonly Server[]): Promise<unknown> {
  return Promise.all(listeners.map(closeListener))
}

/** Not as node:http closes a server: that would also end idle connections. */
function closeListener(listener: Server): Promise<void> {
  return new Promise((resolve) => Server.prototype.close.call(listener, () => resolve()))
}

function addressOf(server: Server): AddressInfo {
  return server.address() as AddressInfo
}
