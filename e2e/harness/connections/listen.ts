// Servers of a test's own process.

import { once } from 'node:events'
import { Server as HttpServer } from 'node:http'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'

export interface Listening extends AsyncDisposable {
  /** http://127.0.0.1:<port>; a path if it listens on one. */
  origin: string
}

/** Listens on the path, or else on a free port of this machine. */
export async function listen(server: Server, path?: string): Promise<Listening> {
  server.listen(path === undefined ? { port: 0, host: '127.0.0.1' } : { path })
  await once(server, 'listening')
  return {
    origin: path ?? `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      if (server instanceof HttpServer) server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

export interface TcpProxy extends Listening {
  /** All that are open, on both sides. */
  sockets: ReadonlySet<Socket>
}

type Keep = (socket: Socket) => Socket

/** Reads nothing of a new connection before `join` does. `keep` is for the connections that it opens itself. */
export async function startTcpProxy(join: (inside: Socket, keep: Keep) => unknown, path?: string): Promise<TcpProxy> {
  const sockets = new Set<Socket>()
  const keep: Keep = (socket) => {
    sockets.add(socket)
    return socket.on('error', () => undefined).on('close', () => sockets.delete(socket))
  }
  const listening = await listen(
    createServer({ pauseOnConnect: true }, (inside) => void join(keep(inside), keep)),
    path,
  )
  return {
    origin: listening.origin,
    sockets,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await listening[Symbol.asyncDispose]()
    },
  }
}
