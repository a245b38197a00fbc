// A proxy in front of a server that can stop passing anything on, in both directions, like a network that loses every packet. Nobody's
// connection is closed by that.

import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type NetConnectOpts, type Socket } from 'node:net'

export interface CuttableLine extends AsyncDisposable {
  /** Undefined if it listens on a path. */
  port: number | undefined
  cut(): void
  heal(): void
}

/** Listens on the path, or else on a free port of this machine. */
export async function startCuttableLine(target: NetConnectOpts, path?: string): Promise<CuttableLine> {
  const sockets = new Set<Socket>()
  let isCut = false
  const keep = (socket: Socket, other: Socket) => {
    sockets.add(socket)
    if (isCut) socket.pause()
    socket.on('data', (data) => other.write(data))
    socket.on('end', () => other.end())
    socket.on('error', () => other.destroy()).on('close', () => sockets.delete(socket))
  }
  const server = createServer((inside) => {
    const outside = connect(target)
    keep(inside, outside)
    keep(outside, inside)
  })
  server.listen(path === undefined ? { port: 0, host: '127.0.0.1' } : { path })
  await once(server, 'listening')
  return {
    port: path === undefined ? (server.address() as AddressInfo).port : undefined,
    cut() {
      isCut = true
      for (const socket of sockets) socket.pause()
    },
    heal() {
      isCut = false
      for (const socket of sockets) socket.resume()
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
